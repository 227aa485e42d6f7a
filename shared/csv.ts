import { stringify } from 'csv-stringify/sync'

export type CsvColumn = string | { key: string; header: string }

/** CSV in UTF-8 with a byte order mark and a header; escapes cells that are spreadsheet formulas. */
export const toCsv = (rows: readonly unknown[], columns: readonly CsvColumn[]): string =>
  stringify([...rows], { bom: true, columns: [...columns], escape_formulas: true, header: true })
