/** The API refuses larger files, so they are not read. */
export const maxBytes = 900_000

/** Decodes the encodings that spreadsheets save: UTF-8, UTF-16 with a byte order mark, or Windows-1252. */
export async function readText(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
