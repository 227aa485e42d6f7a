import yauzl from 'yauzl'
import { FileFault, limits } from './limits.ts'

export type ZipEntry = { name: string; bytes: Buffer }

const isNoise = (name: string) => /(^|\/)(__MACOSX\/|\.|~\$)|\/$/.test(name)

/**
 * The entries of a ZIP that `wants` names, decompressed within the limits. The bytes are counted while they are
 * decompressed, so sizes that the file states do not matter; `used` bytes of the limit are taken already. Throws FileFault.
 */
export function readZip(
  bytes: Buffer,
  wants: (name: string) => boolean,
  { maxBytes = limits.inflatedBytes, used = 0 }: { maxBytes?: number; used?: number } = {},
): Promise<ZipEntry[]> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) =>
      reject(
        cause instanceof FileFault
          ? cause
          : new FileFault(
              'This ZIP is damaged or encrypted. Make it again without a password, and add it again.',
            ),
      )
    yauzl.fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true }, (error, zip) => {
      if (error) return fail(error)
      if (zip.entryCount > limits.entries)
        return fail(
          new FileFault(
            `This ZIP has ${zip.entryCount} files. Split it into ZIPs of at most ${limits.entries}.`,
          ),
        )
      const entries: ZipEntry[] = []
      let total = 0
      let seen = 0
      zip.on('error', fail)
      zip.on('end', () => resolve(entries))
      zip.on('entry', (entry: yauzl.Entry) => {
        seen += 1
        if (seen > limits.entries)
          return fail(new FileFault(`This ZIP has more than ${limits.entries} files. Split it.`))
        if (isNoise(entry.fileName) || !wants(entry.fileName)) return zip.readEntry()
        zip.openReadStream(entry, (opening, stream) => {
          if (opening) return fail(opening)
          const chunks: Buffer[] = []
          stream.on('data', (chunk: Buffer) => {
            total += chunk.length
            const fault = faultOf(total, bytes.length, maxBytes - used, maxBytes)
            if (fault) {
              stream.destroy()
              zip.close()
              return fail(fault)
            }
            chunks.push(chunk)
          })
          stream.on('error', fail)
          stream.on('end', () => {
            entries.push({ name: entry.fileName, bytes: Buffer.concat(chunks) })
            zip.readEntry()
          })
        })
      })
      zip.readEntry()
    })
  })
}

function faultOf(total: number, stored: number, left: number, maxBytes: number): FileFault | null {
  const megabytes = Math.round(maxBytes / 1024 / 1024)
  if (total > left)
    return new FileFault(
      `Decompressed, this file is larger than ${megabytes} MB. Split it into smaller files.`,
    )
  if (total > limits.ratioFromBytes && total > stored * limits.ratio)
    return new FileFault(
      'This file is compressed more than any list of orders is. Export it again, and add that file.',
    )
  return null
}
