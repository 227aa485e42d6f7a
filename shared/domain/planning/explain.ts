import type { Cure } from './cures.ts'
import type { Gap } from './gap.ts'

/** As in: Expedite PO-00012 of Acme (expected on 2026-03-20): from 2026-03-09 on it saves 6 of 10 pieces. */
export function explainCure({ missingUnits }: Gap, cure: Cure | null): string {
  if (!cure) return 'Nothing can bring stock before the next arrival.'
  const { order, source, supplier, quantity, arrivesOn, savedUnits } = cure
  const pieces = quantity === 1 ? '1 piece' : `${quantity} pieces`
  const effect = `${savedUnits} of ${missingUnits} missing`
  if (order) {
    const expected = order.day === null ? 'no date' : `expected on ${order.day}`
    return `Expedite ${order.poNumber} of ${order.supplierName} (${expected}): on ${arrivesOn} it saves ${effect}.`
  }
  if (source) return `Transfer ${pieces} from ${source.name}: on ${arrivesOn} they save ${effect}.`
  const from = supplier ? ` from ${supplier.name}` : ''
  return `Buy ${pieces}${from} now: on ${arrivesOn} they save ${effect}.`
}
