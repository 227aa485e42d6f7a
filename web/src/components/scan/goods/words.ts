import { type GoodsRow, type GoodsScan, settledOf } from './state.ts'

/** Numbers as the page formats them. */
type Format = { count: (number: number) => string; many: (number: number, noun: string) => string }

/** What the number of a row means. */
export function hintOf(row: GoodsRow, { count }: Pick<Format, 'count'>): string {
  const left = row.outstanding - settledOf(row)
  if (left === 0) return 'Complete'
  return left < 0 ? `${count(-left)} more than expected` : `${count(left)} left`
}

/** Why a scan of a row is not counted although the row is known. */
export const fullHintOf = (row: GoodsRow | undefined): string =>
  row !== undefined && settledOf(row) < row.outstanding
    ? 'More than is left: not counted'
    : 'Complete: not counted'

/** Why a scan is not counted, and what to do. With `canExceed` the merchant may count more than is allowed. */
export function adviceOf(
  { fault, found, message, times }: GoodsScan,
  rows: readonly GoodsRow[],
  canExceed: boolean,
  { count, many }: Format,
): string {
  if (fault === 'several') return 'Several products have this code. Choose one.'
  if (fault !== 'complete') return message ?? 'No product has this code. Put it aside.'
  const [target] = found
  const row = rows.find(({ lineId }) => lineId === target?.lineId)
  if (!target || !row) return 'This line is complete.'
  if (!canExceed) {
    const left = row.outstanding - settledOf(row)
    if (left <= 0) return `All pieces of ${target.title} are scanned. Put it aside.`
    const onlyLeft = `but only ${count(left)} of ${target.title} ${left === 1 ? 'is' : 'are'} left.`
    return target.pieces > left
      ? `This pack has ${many(target.pieces, 'piece')}, ${onlyLeft} Scan single pieces.`
      : `${many(target.pieces * times, 'piece')} were scanned, ${onlyLeft} Remove this scan, then scan what is left.`
  }
  const extra = row.accepted + target.pieces * times - row.outstanding
  return `${count(extra)} more than expected, with ${many(target.pieces * times, 'piece')} of ${target.title}. Put it aside, or count it.`
}
