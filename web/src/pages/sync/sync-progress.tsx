import { Loader, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircle, IconCircleCheck } from '@tabler/icons-react'
import type { Sync, SyncPhase } from '../../../../shared/schemas/sync.ts'
import { useFormat } from '../../components/shop/format.ts'
import classes from './sync.module.css'

const phases: readonly SyncPhase[] = ['locations', 'products', 'levels', 'orders']
const names: Record<SyncPhase, string> = {
  locations: 'Locations',
  products: 'Products',
  levels: 'Stock levels',
  orders: 'Orders of the last 90 days',
}

/** How far the reading of the shop has come, phase by phase. */
export function SyncProgress({ sync }: { sync: Sync }) {
  const { count, moment } = useFormat()
  if (sync.state === 'none') return <Text c="dimmed">Your shop has not been read yet.</Text>
  const at = sync.phase ? phases.indexOf(sync.phase) : phases.length
  const { products, variants } = sync.counts
  const countOf = (phase: SyncPhase) =>
    phase === 'products' ? `${count(products)} with ${count(variants)} variants` : count(sync.counts[phase])
  return (
    <Stack gap="sm">
      <Text role="status">{sentenceOf(sync, at, moment)}</Text>
      <ol className={classes.phases}>
        {phases.map((phase, index) => (
          <li key={phase} className={classes.phase} data-waits={index > at || undefined}>
            <PhaseIcon sync={sync} isDone={index < at} isNow={index === at} />
            {names[phase]}
            <span className={classes.count}>{index <= at && countOf(phase)}</span>
          </li>
        ))}
      </ol>
      {sync.reason && (
        <Text className={classes.reason}>
          <IconAlertTriangle size={18} aria-hidden /> {sync.reason}
        </Text>
      )}
    </Stack>
  )
}

function sentenceOf(
  { state, startedAt, finishedAt }: Sync,
  at: number,
  moment: (instant: string | null) => string,
) {
  if (state === 'running') return `Step ${at + 1} of ${phases.length}, since ${moment(startedAt)}.`
  if (state === 'failed') return `It stopped on ${moment(finishedAt)}. Read the shop again.`
  return `All of it was read on ${moment(finishedAt)}.`
}

type IconProps = { sync: Sync; isDone: boolean; isNow: boolean }

function PhaseIcon({ sync: { state }, isDone, isNow }: IconProps) {
  if (isDone) return <IconCircleCheck size={20} color="#1a7f37" aria-label="Done" />
  if (isNow && state === 'running') return <Loader size={18} m={1} role="img" aria-label="Under way" />
  if (isNow) return <IconAlertTriangle size={20} color="#b3261e" aria-label="Stopped" />
  return <IconCircle size={20} color="#8c939b" aria-label="To come" />
}
