import { Facts } from '../../../components/layout/detail.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import type { Summary } from './differences.ts'

/** A count in numbers. */
export function SummaryFacts({ place, summary }: { place: string; summary: Summary }) {
  const { count } = useFormat()
  return (
    <Facts
      facts={[
        ['Location', place],
        ['Counted', count(summary.counted)],
        ['Not counted', count(summary.uncounted)],
        ['Different', count(summary.differing.length)],
        ['Pieces over', count(summary.over)],
        ['Pieces short', count(summary.short)],
      ]}
    />
  )
}
