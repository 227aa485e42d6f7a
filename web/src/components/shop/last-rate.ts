import { useQuery } from '@tanstack/react-query'
import { readQuery } from '../../api/queries.ts'
import { useFormat } from './format.ts'

/** Says which exchange rate an empty field takes: the last one of the currency. */
export function useLastRateText(currency: string): string {
  const { data: rates } = useQuery(readQuery('GET /exchange-rates', {}))
  const format = useFormat()
  if (!rates) return 'Leave empty for the last rate'
  const last = rates.find((known) => known.currency === currency)
  return last ? `Leave empty for the last rate, ${format.rate(last.rate)}` : `No rate of ${currency} is known`
}
