import { Loader, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircle, IconCircleCheck } from '@tabler/icons-react'
import type { Sync, SyncCause, SyncPhase } from '../../../../shared/schemas/sync.ts'
import { useFormat } from '../../components/shop/format.ts'
import classes from './sync.module.css'

const phases: readonly SyncPhase[] = ['locations', 'products', 'levels', 'orders']
const names: Record<SyncPhase, string> = {
  locations: 'Locations',
  products: 'Products',
  levels: 'Stock levels',
  orders: 'Past orders',
}

const causes: Partial<Record<SyncCause, string>> = {
  upgrade: 'Quartermaster was updated and reads further fields of your products.',
  weekly: 'This is the weekly comparison with your shop.',
  repair: 'Your shop had stopped sending updates, so everything is read again.',
}

/** The progress of the import by phase. */
export function SyncProgress({ sync }: { sync: Sync }) {
  const { count, dateTime } = useFormat()
  if (sync.state === 'none') return <Text c="dimmed">Your shop has not been imported yet.</Text>
  const current = sync.phase ? phases.indexOf(sync.phase) : phases.length
  const { products, variants } = sync.counts
  const countOf = (phase: SyncPhase) =>
    phase === 'products' ? `${count(products)} with ${count(variants)} variants` : count(sync.counts[phase])
  return (
    <Stack gap="sm">
      <Text role="status">{statusText(sync, current, dateTime)}</Text>
      {sync.state === 'running' && sync.cause && causes[sync.cause] && (
        <Text c="dimmed">{causes[sync.cause]}</Text>
      )}
      <ol className={classes.phases}>
        {phases.map((phase, index) => (
          <li key={phase} className={classes.phase} data-waiting={index > current || undefined}>
            <PhaseIcon sync={sync} isDone={index < current} isCurrent={index === current} />
            {names[phase]}
            <span className={classes.count}>{index <= current && countOf(phase)}</span>
          </li>
        ))}
      </ol>
      {sync.unreadVariants > 0 && (
        <Text role="status">
          Reading on-hand stock, including sold pieces that are not shipped: {count(sync.unreadVariants)}{' '}
          {sync.unreadVariants === 1 ? 'variant' : 'variants'} left.
        </Text>
      )}
      {sync.reason && (
        <Text className={classes.reason}>
          <IconAlertTriangle size={18} aria-hidden /> {sync.reason}
        </Text>
      )}
    </Stack>
  )
}

function statusText(
  { state, startedAt, finishedAt }: Sync,
  current: number,
  dateTime: (instant: string | null) => string,
) {
  if (state === 'running') return `Step ${current + 1} of ${phases.length}, started ${dateTime(startedAt)}.`
  if (state === 'failed') return `The import stopped on ${dateTime(finishedAt)}. Re-import everything.`
  return `Import completed on ${dateTime(finishedAt)}.`
}

type IconProps = { sync: Sync; isDone: boolean; isCurrent: boolean }

function PhaseIcon({ sync: { state }, isDone, isCurrent }: IconProps) {
  if (isDone) return <IconCircleCheck size={20} color="#1a7f37" aria-label="Done" />
  if (isCurrent && state === 'running') return <Loader size={18} m={1} role="img" aria-label="In progress" />
  if (isCurrent) return <IconAlertTriangle size={20} color="#b3261e" aria-label="Stopped" />
  return <IconCircle size={20} color="#8c939b" aria-label="Not started" />
}
