/** What an import may look like: a rule with numbers, and one that is computed. */
export const sampleFile = [
  'sku,reorderPoint,reorderQuantity,supplier,location,mode,serviceLevel,reviewDays',
  'MUG-STN-350,20,50,Northgate Ceramics,,manual,,',
  'MUG-STN-500,,,Northgate Ceramics,,auto,95,7',
  '',
].join('\r\n')

/** A larger one has more than the API takes; it is not even read. */
export const maxBytes = 900_000

/** The words of a file as spreadsheets save them: UTF-8, UTF-16 with its mark, or what old ones write in the west. */
export async function readText(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
