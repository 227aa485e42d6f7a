import { request } from '../../api/request.ts'

const partBytes = 512 * 1024
export const maxBytes = 20 * 1024 * 1024

/** Sends a file in parts and has it read; returns the import's id. */
export async function uploadFile(file: File, onPart: (share: number) => void): Promise<number> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const { id } = await request('POST /imports', { body: { fileName: file.name.slice(0, 200) } })
  const parts = Math.max(1, Math.ceil(bytes.length / partBytes))
  for (let n = 0; n < parts; n += 1) {
    const base64 = toBase64(bytes.subarray(n * partBytes, (n + 1) * partBytes))
    await request('PUT /imports/:id/parts/:n', { params: { id, n }, body: { base64 } })
    onPart((n + 1) / parts)
  }
  await request('POST /imports/:id/read', { params: { id } })
  return id
}

function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = []
  // a function takes only so many arguments
  for (let from = 0; from < bytes.length; from += 8_192)
    pieces.push(String.fromCharCode(...bytes.subarray(from, from + 8_192)))
  return btoa(pieces.join(''))
}
