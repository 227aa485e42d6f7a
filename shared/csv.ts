import { stringify } from 'csv-stringify/sync'

export type CsvColumn = string | { key: string; header: string }

/**
 * Cells that are spreadsheet formulas are escaped. Cells with a separator of any locale are quoted: a spreadsheet that
 * separates by semicolons or tabs would split an unquoted `Acme;=1+1` and run its second half.
 */
const safety = { escape_formulas: true, quoted_match: /[;\t]/ }

/** CSV in UTF-8 with a byte order mark and a header. */
export const toCsv = (rows: readonly unknown[], columns: readonly CsvColumn[]): string =>
  stringify([...rows], { ...safety, bom: true, columns: [...columns], header: true })

/** The beginning of a CSV file that is written in pages: the byte order mark and the headings. */
export const csvHead = (headings: readonly string[]): string =>
  stringify([[...headings]], { ...safety, bom: true })

/** A page of rows, in the order of the headings. */
export const csvPage = (rows: readonly (readonly unknown[])[]): string => stringify([...rows], safety)
