import type { ChargeBasis, ChargeKind } from '../../../../../shared/schemas/charges.ts'

export const kindNames: Record<ChargeKind, string> = {
  freight: 'Freight',
  duty: 'Duty',
  insurance: 'Insurance',
  handling: 'Handling',
  other: 'Other',
}

export const basisNames: Record<ChargeBasis, string> = {
  value: 'By value',
  quantity: 'By pieces',
  weight: 'By weight',
  manual: 'By hand',
}
