import type { BuyingBudget } from '../../../../shared/schemas/buying-budgets.ts'
import type { Format } from '../../components/shop/formats.ts'

export const periodText = ({ month, startsOn, endsOn }: BuyingBudget, format: Format) =>
  month === null ? `${format.calendarDay(startsOn)} to ${format.calendarDay(endsOn)}` : format.month(month)
