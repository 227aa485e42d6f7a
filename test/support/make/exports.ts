import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import { type Entry, fromBuffer, type ZipFile } from 'yauzl'
import type { Export } from '../../../shared/schemas/exports.ts'
import type { Person } from '../core/people.ts'

type Manifest = {
  shop: string
  timeZone: string
  currency: string
  files: { path: string; rows: number; bytes: number; sha256: string }[]
}

export async function makeExport(person: Person): Promise<Export> {
  const response = await person.post('/api/exports')
  if (response.statusCode !== 201) throw new Error(response.body)
  return response.json().data
}

export async function readExport(person: Person, id: number): Promise<Export> {
  const response = await person.get(`/api/exports/${id}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

/** Downloads a finished export and opens it. */
export async function openExport(person: Person, id: number) {
  const response = await person.get(`/api/exports/${id}/file`)
  if (response.statusCode !== 200) throw new Error(response.body)
  const files = await unzip(response.rawPayload)
  const manifest: Manifest = JSON.parse(String(files.get('manifest.json')))
  const list = (name: string) => {
    const [path] = [...files.keys()].filter((each) => each.replace(/-\d{4}-\d{2}-\d{2}\.csv$/, '') === name)
    return parse(String(files.get(path ?? '')), { bom: true, columns: true }) as Record<string, string>[]
  }
  return { response, files, manifest, list }
}

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(bytes, { lazyEntries: true }, (error, opened) => (error ? reject(error) : resolve(opened))),
  )
  const files = new Map<string, Buffer>()
  await new Promise<void>((resolve, reject) => {
    zip.on('entry', (entry: Entry) =>
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error)
        buffer(stream).then((content) => {
          files.set(entry.fileName, content)
          zip.readEntry()
        }, reject)
      }),
    )
    zip.on('end', resolve).on('error', reject)
    zip.readEntry()
  })
  return files
}
