/** Bounds of a file, so that no file can hurt the worker. A file that exceeds one fails with a sentence for the merchant. */
export const limits = {
  bytes: 20 * 1024 * 1024,
  /** Of all entries of a ZIP together, after decompression. */
  inflatedBytes: 60 * 1024 * 1024,
  /** Of the parts of a workbook together, after decompression: the library builds objects from them. */
  workbookBytes: 30 * 1024 * 1024,
  /** Decompressed bytes per stored byte. Spreadsheets reach about 20. */
  ratio: 100,
  jsonBytes: 12 * 1024 * 1024,
  /** Of one JSON file, before it is parsed. Rows have one object each, and one for each object in them. */
  jsonObjects: 120_000,
  jsonValues: 1_000_000,
  /** XML elements of a workbook begin and end with one; each becomes an object. 20 000 rows of 20 cells have 1.7 million. */
  tags: 2_500_000,
  /** Below this size the ratio does not matter. */
  ratioFromBytes: 2 * 1024 * 1024,
  entries: 3_000,
  /** With values, below the header. */
  rows: 20_000,
  /** Of a text file or a workbook, beside `rows`: titles, the header and blank rows. */
  otherRows: 100,
  columns: 200,
  sheets: 60,
  cellLength: 5_000,
  jsonDepth: 6,
} as const

/** A fault of the whole file; the message says what to do. */
export class FileFault extends Error {}
