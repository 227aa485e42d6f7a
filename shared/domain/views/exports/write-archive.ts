import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

export type ArchivedFile = { path: string; rows: number; bytes: number; sha256: string }
/** Adds a file; its text or its bytes come in pieces, each with the number of its rows. */
export type AddFile = (path: string, pieces: AsyncIterable<Piece> | Iterable<Piece>) => Promise<ArchivedFile>
export type Piece = { text: string | Buffer; rows: number }

/** The size of a part, which is one row of `export_part`. */
const partBytes = 512 * 1024

/**
 * Writes a ZIP file in parts of 512 KiB and returns its size and SHA-256. `addFiles` adds one file after the other, and
 * `storePart` stores one part after the other. The memory holds one piece, one part and the buffers between them, because a
 * piece is read only when the compressor has taken the one before, and the compressor waits for the store.
 */
export async function writeArchive(
  date: Date,
  addFiles: (add: AddFile) => Promise<void>,
  storePart: (part: number, bytes: Buffer) => Promise<void>,
): Promise<{ size: number; sha256: Buffer }> {
  const zip = new ZipFile()
  const failed = new AbortController()
  const storing = storeParts(zip.outputStream, storePart)
  storing.catch((error: unknown) => failed.abort(error))
  const add: AddFile = async (path, pieces) => {
    const hash = createHash('sha256')
    const file = { path, rows: 0, bytes: 0 }
    async function* read() {
      for await (const { text, rows } of pieces) {
        const bytes = typeof text === 'string' ? Buffer.from(text) : text
        hash.update(bytes)
        file.rows += rows
        file.bytes += bytes.length
        yield bytes
      }
    }
    const stream = Readable.from(read(), { objectMode: false })
    zip.addReadStream(stream, path, { mtime: date })
    // without the signal, a file would wait for a store that has failed
    await finished(stream, { signal: failed.signal }).finally(() => stream.destroy())
    return { ...file, sha256: hash.digest('hex') }
  }
  try {
    await addFiles(add)
    zip.end()
  } catch (error) {
    const { outputStream } = zip as unknown as { outputStream: Readable }
    outputStream.destroy(failed.signal.aborted ? undefined : (error as Error))
    await storing.catch(() => {})
    throw failed.signal.aborted ? failed.signal.reason : error
  }
  return storing
}

async function storeParts(
  chunks: AsyncIterable<Buffer | string>,
  storePart: (part: number, bytes: Buffer) => Promise<void>,
): Promise<{ size: number; sha256: Buffer }> {
  const hash = createHash('sha256')
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let size = 0
  let part = 0
  const store = async (bytes: Buffer) => {
    hash.update(bytes)
    size += bytes.length
    await storePart(part, bytes)
    part += 1
  }
  for await (const chunk of chunks) {
    waiting.push(Buffer.from(chunk))
    waitingBytes += chunk.length
    while (waitingBytes >= partBytes) {
      const bytes = Buffer.concat(waiting)
      waiting = [bytes.subarray(partBytes)]
      waitingBytes -= partBytes
      await store(bytes.subarray(0, partBytes))
    }
  }
  if (waitingBytes > 0) await store(Buffer.concat(waiting))
  return { size, sha256: hash.digest() }
}
