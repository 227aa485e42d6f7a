import type { ImportSheet } from '../../../../schemas/imports.ts'
import { decimalSignOf, guessDayOrder, guessDecimalSign } from '../../../kit/csv/values.ts'
import { ownListOf } from './own-lists.ts'

type Table = { name: string; columns: readonly string[]; delimiter?: string | undefined }
type Notation = Pick<ImportSheet, 'decimalSign' | 'isDecimalSignCertain' | 'dayOrder' | 'isDayOrderCertain'>

const days = /(At|On|Date)$|^valid/
const numbers =
  /cost|total|price|value|taxRate|discountPercent|^(quantity|received|counted|expected|previousQuantity|newQuantity|shipping|adjustments|rate)$/i

/** How a table writes numbers and days, by the cells of the columns that have them. `fields` are those of the columns. */
export function guessNotation(
  table: Table,
  fields: readonly (string | null)[],
  cellsOf: (column: number) => string[],
  locale: string,
): Notation {
  const isOf = (pattern: RegExp) =>
    fields.flatMap((field, at) => (pattern.test(field ?? '') ? cellsOf(at) : []))
  const day = guessDayOrder(isOf(days), /-US\b/.test(locale) ? 'mdy' : 'dmy')
  const sign = guessSign(table, isOf(numbers), locale)
  return {
    decimalSign: sign.decimalSign,
    isDecimalSignCertain: sign.isCertain,
    dayOrder: day.dayOrder,
    isDayOrderCertain: day.isCertain,
  }
}

/**
 * Excel separates cells by semicolons where the comma is the decimal sign. The sign is also certain when the separator and the
 * shop's locale imply the same sign and the file has no other.
 */
function guessSign({ name, columns, delimiter }: Table, cells: readonly string[], locale: string) {
  // our own export, JSON and the numbers of a workbook have decimal points
  const isPlain = delimiter === undefined || ownListOf(name, columns) !== null
  if (isPlain && !cells.some((cell) => cell.includes(',')))
    return { decimalSign: '.', isCertain: true } as const
  const ofLocale = decimalSignOf(locale)
  const ofFile = delimiter === ';' ? ',' : ofLocale
  const guess = guessDecimalSign(cells, ofFile)
  // 2.345 of a file with commas is 2.345 in a shop that writes a decimal point; grouped it would be written 2,345
  const isUsual = ofFile === ofLocale && (delimiter === ';') === (ofFile === ',')
  const isWithoutGroups = !cells.some((cell) => cell.includes(ofFile === '.' ? ',' : '.'))
  return { ...guess, isCertain: guess.isCertain || (isUsual && isWithoutGroups) }
}
