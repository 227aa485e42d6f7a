type StoredFile = { name: string; bytes: Uint8Array }

const localSignature = 0x04034b50
const centralSignature = 0x02014b50
const endSignature = 0x06054b50
const version = 20
/** Names are UTF-8. */
const flags = 0x0800
/** 1980-01-01, since the day does not matter. */
const date = 0x0021

/** A ZIP of files, which are not compressed: the worker reads files that belong together as one import. */
export function bundle(files: readonly StoredFile[]): Uint8Array {
  const local: Uint8Array[] = []
  const central: Uint8Array[] = []
  let offset = 0
  for (const { name, bytes } of withOwnNames(files)) {
    const title = new TextEncoder().encode(name)
    const { length } = bytes
    const about = [
      ...[u16(version), u16(flags), u16(0), u16(0), u16(date)],
      ...[u32(crc32(bytes)), u32(length), u32(length), u16(title.length), u16(0)],
    ]
    const header = join([u32(localSignature), ...about, title])
    local.push(header, bytes)
    const rest = [u16(0), u16(0), u16(0), u32(0), u32(offset)]
    central.push(join([u32(centralSignature), u16(version), ...about, ...rest, title]))
    offset += header.length + length
  }
  const directory = join(central)
  const count = u16(files.length)
  const end = join([u32(endSignature), u32(0), count, count, u32(directory.length), u32(offset), u16(0)])
  return join([...local, directory, end])
}

/** Files of several folders may have one name, but the rows of an order may be known by the name of their file. */
function withOwnNames(files: readonly StoredFile[]): StoredFile[] {
  const seen = new Map<string, number>()
  return files.map(({ name, bytes }) => {
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return { name: times === 1 ? name : name.replace(/(\.\w+)?$/, ` (${times})$1`), bytes }
  })
}

const u16 = (value: number) => new Uint8Array([value & 0xff, value >>> 8])
const u32 = (value: number) => join([u16(value & 0xffff), u16(value >>> 16)])

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const crcOfByte = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crc >>> 8) ^ (crcOfByte[(crc ^ byte) & 0xff] ?? 0)
  return (crc ^ 0xffffffff) >>> 0
}
