import { useInterval } from '@mantine/hooks'
import { useReducer } from 'react'
import { useFormat } from '../shop/format.ts'

/** How long ago something was, as people say it; when exactly shows when it is pointed at. */
export function Ago({ instant }: { instant: string }) {
  const { ago, moment } = useFormat()
  const [, look] = useReducer((times: number) => times + 1, 0)
  useInterval(look, 15_000, { autoInvoke: true })
  return (
    <time dateTime={instant} title={moment(instant)} style={{ whiteSpace: 'nowrap' }}>
      {ago(instant)}
    </time>
  )
}
