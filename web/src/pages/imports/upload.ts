import { request } from '../../api/request.ts'
import { bundle } from './bundle.ts'

const partBytes = 512 * 1024
export const maxBytes = 20 * 1024 * 1024

/** Sends files as one import, in parts, and starts their reading; several files are sent as one ZIP. Returns the import's id. */
export async function uploadFiles(files: readonly File[], onPart: (share: number) => void): Promise<number> {
  const contents: { name: string; bytes: Uint8Array }[] = []
  for (const file of files)
    contents.push({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })
  const [first, ...more] = contents
  const bytes = first && more.length === 0 ? first.bytes : bundle(contents)
  const { id } = await request('POST /imports', { body: { fileName: titleOf(files) } })
  const parts = Math.max(1, Math.ceil(bytes.length / partBytes))
  for (let n = 0; n < parts; n += 1) {
    const base64 = toBase64(bytes.subarray(n * partBytes, (n + 1) * partBytes))
    await request('PUT /imports/:id/parts/:n', { params: { id, n }, body: { base64 } })
    onPart((n + 1) / parts)
  }
  await request('POST /imports/:id/read', { params: { id } })
  return id
}

/** "orders.csv", or "3 files: orders.csv, lines.csv, suppliers.csv". */
export function titleOf(files: readonly Pick<File, 'name'>[]): string {
  const names = files.map(({ name }) => name).join(', ')
  return (files.length === 1 ? names : `${files.length} files: ${names}`).slice(0, 200)
}

function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = []
  // the number of arguments of a call is limited
  for (let from = 0; from < bytes.length; from += 8_192)
    pieces.push(String.fromCharCode(...bytes.subarray(from, from + 8_192)))
  return btoa(pieces.join(''))
}
