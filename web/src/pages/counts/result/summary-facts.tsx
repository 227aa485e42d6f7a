import { Facts } from '../../../components/layout/detail.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import type { Summary } from './differences.ts'

export function SummaryFacts({ location, summary }: { location: string; summary: Summary }) {
  const { count } = useFormat()
  return (
    <Facts
      facts={[
        ['Location', location],
        ['Counted', count(summary.counted)],
        ['Not counted', count(summary.uncounted)],
        ['Differences', count(summary.differing.length)],
        ['Pieces over', count(summary.over)],
        ['Pieces short', count(summary.short)],
      ]}
    />
  )
}
