import { useInterval } from '@mantine/hooks'
import { useReducer } from 'react'
import { useFormat } from '../shop/format.ts'

/** A relative time such as "5 minutes ago", updated every 15 s; the tooltip has the date and time. */
export function Ago({ instant }: { instant: string }) {
  const { ago, dateTime } = useFormat()
  const [, rerender] = useReducer((renders: number) => renders + 1, 0)
  useInterval(rerender, 15_000, { autoInvoke: true })
  return (
    <time dateTime={instant} title={dateTime(instant)} style={{ whiteSpace: 'nowrap' }}>
      {ago(instant)}
    </time>
  )
}
