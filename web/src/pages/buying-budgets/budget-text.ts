import type { BuyingBudget } from '../../../../shared/schemas/buying-budgets.ts'
import type { useFormat } from '../../components/shop/format.ts'

type Format = ReturnType<typeof useFormat>

export const periodText = ({ month, startsOn, endsOn }: BuyingBudget, format: Format) =>
  month === null ? `${format.calendarDay(startsOn)} to ${format.calendarDay(endsOn)}` : format.month(month)
