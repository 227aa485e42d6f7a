import type { StockCount } from '../../../../../shared/schemas/stock-counts.ts'
import { Facts } from '../../../components/layout/detail.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { summaryOf } from './differences.ts'

export function SummaryFacts({ count: stored }: { count: StockCount }) {
  const { count, money, percent } = useFormat()
  const { locationName, items, varianceValue, accuracy, accuracyByValue, uncostedItemCount } = stored
  const summary = summaryOf(items)
  return (
    <Facts
      facts={[
        ['Location', locationName],
        ['Counted', count(summary.counted)],
        ['Not counted', count(summary.uncounted)],
        ['Differences', count(summary.differing.length)],
        ['Pieces over', count(summary.over)],
        ['Pieces short', count(summary.short)],
        ['Difference in value', varianceValue === null ? '—' : money(varianceValue)],
        ...(uncostedItemCount ? ([['Differences of unknown cost', count(uncostedItemCount)]] as const) : []),
        ['Accuracy', accuracy === null ? '—' : percent(accuracy)],
        ['Accuracy by value', accuracyByValue === null ? '—' : percent(accuracyByValue)],
      ]}
    />
  )
}
