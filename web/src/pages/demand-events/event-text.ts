import type { DemandEventRecord } from '../../../../shared/schemas/demand-events.ts'
import type { Format } from '../../components/shop/formats.ts'

export function productsOf({ scope, scopeValue, variantTitle }: DemandEventRecord): string {
  if (scope === 'shop') return 'All products'
  if (scope === 'variant') return variantTitle ?? ''
  return `${scope === 'vendor' ? 'Vendor' : 'Type'}: ${scopeValue}`
}

export const datesText = ({ startsOn, endsOn }: DemandEventRecord, format: Format) =>
  endsOn === null
    ? `From ${format.calendarDay(startsOn)}`
    : `${format.calendarDay(startsOn)} to ${format.calendarDay(endsOn)}`

export const salesText = ({ factor, growthPercent }: DemandEventRecord, format: Format) =>
  factor === null ? `${format.change(growthPercent ?? 0)} %` : `${format.count(factor)} × usual`
