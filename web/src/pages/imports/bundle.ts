import { zipSync } from 'fflate'

type StoredFile = { name: string; bytes: Uint8Array }

/** A ZIP of files: the worker reads files that belong together as one import. */
export const bundle = (files: readonly StoredFile[]): Uint8Array =>
  zipSync(Object.fromEntries(withOwnNames(files).map(({ name, bytes }) => [name, bytes])))

/** Files of several folders may have one name, but the rows of an order may be known by the name of their file. */
function withOwnNames(files: readonly StoredFile[]): StoredFile[] {
  const seen = new Map<string, number>()
  return files.map(({ name, bytes }) => {
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return { name: times === 1 ? name : name.replace(/(\.\w+)?$/, ` (${times})$1`), bytes }
  })
}
