import { Skeleton } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import { Card } from '../../../components/layout/card.tsx'

type Props = {
  title: string
  /** What is drawn, for those who hear it; the numbers are in the table below. */
  label: string
  height: number
  isPending: boolean
  children: ReactNode
  /** Stands below the drawing. */
  note?: ReactNode
}

/** A drawing of what the table below it holds, as high while it is on its way as when it is there. */
export const ChartCard = ({ title, label, height, isPending, children, note }: Props) => (
  <Card title={title}>
    {isPending ? (
      <Drawing height={height} />
    ) : (
      <Suspense fallback={<Drawing height={height} />}>
        <div role="img" aria-label={`${label} The table below has the numbers.`}>
          {children}
        </div>
      </Suspense>
    )}
    {note}
  </Card>
)

/** While it is on its way. */
const Drawing = ({ height }: { height: number }) => (
  <div aria-busy>
    <Skeleton height={height} />
  </div>
)
