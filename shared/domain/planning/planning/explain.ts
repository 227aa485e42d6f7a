import { dateText } from '../supply/day-text.ts'
import type { Cure } from './cures.ts'
import type { Gap } from './find-gap.ts'

/** As in: Expedite PO-00012 of Acme (expected on 20 March): it arrives on 9 March and covers 6 of 10 missing pieces. */
export function explainCure({ missingUnits }: Gap, cure: Cure | null, today: string): string {
  if (!cure) return 'Nothing can bring stock before the next arrival.'
  const { order, source, supplier, quantity, arrivesOn, savedUnits } = cure
  const pieces = quantity === 1 ? '1 piece' : `${quantity} pieces`
  const arrival = `on ${dateText(arrivesOn, today)}`
  const effect = `${savedUnits} of ${missingUnits} missing pieces`
  if (order) {
    const expected = order.day === null ? 'no date' : `expected on ${dateText(order.day, today)}`
    return `Expedite ${order.poNumber} of ${order.supplierName} (${expected}): it arrives ${arrival} and covers ${effect}.`
  }
  if (source)
    return `Transfer ${pieces} from ${source.name}: ${quantity === 1 ? 'it arrives' : 'they arrive'} ${arrival} and ${quantity === 1 ? 'covers' : 'cover'} ${effect}.`
  const from = supplier ? ` from ${supplier.name}` : ''
  return `Buy ${pieces}${from} now: ${quantity === 1 ? 'it arrives' : 'they arrive'} ${arrival} and ${quantity === 1 ? 'covers' : 'cover'} ${effect}.`
}
