import { readerOf, type SourceRow } from '../../load.ts'
import type { PlannedCharge } from '../types.ts'
import type { Header } from './header.ts'

export const isChargeRow = (each: SourceRow) => each.has('chargeAmount')

const kinds = ['freight', 'duty', 'insurance', 'handling', 'other']
const bases = ['value', 'quantity', 'weight', 'manual']

/** The charges of an order: rows of their own, and the sums of shipping and adjustments that some lists of orders have. */
export function readCharges(
  rows: readonly SourceRow[],
  header: Pick<Header, 'shipping' | 'adjustments'>,
  faults: Map<number, string>,
): PlannedCharge[] {
  const ofOrder = (kind: string, amount: number): PlannedCharge[] =>
    amount <= 0 ? [] : [{ ...plain, kind, amount }]
  return [
    ...ofOrder('freight', header.shipping),
    ...ofOrder('other', header.adjustments),
    ...rows.flatMap((each) => readCharge(each, faults)),
  ]
}

const plain = {
  currency: null,
  rate: null,
  taxRate: 0,
  basis: 'value',
  lines: null,
  shares: null,
  isEstimate: false,
} as const

function readCharge(each: SourceRow, faults: Map<number, string>): PlannedCharge[] {
  const cells = readerOf(each)
  const amount = cells.number('chargeAmount', 'Amount', 1e12)
  const rate = cells.number('rate', 'Exchange rate')
  const taxRate = cells.number('taxRate', 'Tax', 100) ?? 0
  const kind = cells.text('chargeKind', 20).toLowerCase()
  const basis = cells.text('chargeBasis', 20).toLowerCase()
  const currency = cells.currency()
  const [fault] = cells.faults
  if (fault !== undefined || amount === null) {
    faults.set(each.position, fault ?? 'The charge has no amount.')
    return []
  }
  return [
    {
      kind: kinds.includes(kind) ? kind : 'other',
      amount,
      currency: currency || null,
      rate,
      taxRate,
      basis: bases.includes(basis) ? basis : 'value',
      lines: lineIndexesOf(each.cell('chargeLines')),
      shares: sharesOf(each.cell('chargeShares')),
      isEstimate: cells.flag('isEstimate'),
    },
  ]
}

/** "0, 2" */
const lineIndexesOf = (text: string) =>
  text === '' ? null : text.split(',').map(Number).filter(Number.isInteger)

/** "0: 5.5, 2: 4.5" */
const sharesOf = (text: string): [number, number][] | null =>
  text === ''
    ? null
    : text
        .split(',')
        .flatMap((share) => {
          const [lineIndex, amount] = share.split(':').map(Number)
          return lineIndex !== undefined && amount !== undefined && amount >= 0
            ? [[lineIndex, amount] as const]
            : []
        })
        .map(([lineIndex, amount]) => [lineIndex, amount])
