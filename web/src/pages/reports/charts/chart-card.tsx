import { Skeleton } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import { Card } from '../../../components/layout/card.tsx'

type Props = {
  title: string
  /** Describes the chart for screen readers; the table below has the numbers. */
  label: string
  height: number
  isPending: boolean
  children: ReactNode
  note?: ReactNode
}

/** A chart with a placeholder of the same height while it loads, so that the page does not move. */
export const ChartCard = ({ title, label, height, isPending, children, note }: Props) => (
  <Card title={title}>
    {isPending ? (
      <Placeholder height={height} />
    ) : (
      <Suspense fallback={<Placeholder height={height} />}>
        <div role="img" aria-label={`${label} The table below has the numbers.`}>
          {children}
        </div>
      </Suspense>
    )}
    {note}
  </Card>
)

const Placeholder = ({ height }: { height: number }) => (
  <div aria-busy>
    <Skeleton height={height} />
  </div>
)
