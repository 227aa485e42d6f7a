import { readDate } from '../../../kit/csv/values.ts'
import type { SourceRow, Unit } from '../load.ts'

/** The number in the name of a file with one order: 21 for "Purchase order 21.csv". */
export const fileNumber = (fileName: string) =>
  fileName
    .replace(/\.\w{2,5}$/, '')
    .replace(/^(purchase[ _-]?order|po)s?[ _#-]*/i, '')
    .trim()
    .slice(0, 100)

export const fileOf = (each: SourceRow) => each.cell('fileName') || each.sheet

/**
 * The rows of each order, the oldest order first. They have its id, else its number, else come from one file, whose name has the
 * number. An id and a number in one row are of one order. Two files with one number in their names are two orders, since joined
 * they would have each line twice.
 */
export function orderUnits(rows: readonly SourceRow[]): Unit[] {
  const idOf = new Map<string, string>()
  for (const each of rows) {
    const [id, number] = [each.cell('orderId'), each.cell('number').toLowerCase()]
    if (id !== '' && number !== '') idOf.set(number, id)
  }
  const keyOfNumber = (number: string) => (idOf.has(number) ? `id ${idOf.get(number)}` : `number ${number}`)
  const firstFile = new Map<string, string>()
  const keyOf = (each: SourceRow) => {
    const [id, number] = [each.cell('orderId'), each.cell('number').toLowerCase()]
    if (id !== '') return `id ${id}`
    if (number !== '') return keyOfNumber(number)
    const file = fileOf(each)
    const named = fileNumber(file).toLowerCase()
    if (!firstFile.has(named)) firstFile.set(named, file)
    return named !== '' && firstFile.get(named) === file ? keyOfNumber(named) : `file ${file}`
  }
  const units = [...Map.groupBy(rows, keyOf)].map(
    ([key, own]): Unit => ({ kind: 'purchase_orders', key, rows: own }),
  )
  const dated = units.map((unit) => ({ unit, day: dayOfOrder(unit) }))
  return dated.sort((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day))).map(({ unit }) => unit)
}

function dayOfOrder({ rows }: Unit): string {
  for (const field of ['orderedAt', 'sentAt', 'createdAt', 'invoiceDate', 'receivedAt', 'expectedAt']) {
    for (const each of rows) {
      const day = readDate(each.cell(field), each)
      if (day) return day
    }
  }
  return ''
}
