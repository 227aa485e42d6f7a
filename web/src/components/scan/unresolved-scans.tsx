import { Button, Group, VisuallyHidden } from '@mantine/core'
import { Card } from '../layout/card.tsx'
import { useFormat } from '../shop/format.ts'
import { RowTable } from '../tables/row-table.tsx'
import type { QueueState, UnresolvedScan } from './state.ts'
import classes from './unresolved-scans.module.css'

const sectionId = 'unresolved-scans'

export const scrollToUnresolved = () => document.getElementById(sectionId)?.scrollIntoView()

export type ScanAction = { name: string; onClick: () => void }

type Props<P, F extends string> = {
  title: string
  state: Pick<QueueState<unknown, P, F>, 'scans' | 'lookupFailure'>
  /** Why a scan does not count, and what to do. */
  adviceOf: (scan: UnresolvedScan<P, F>) => string
  /** What names a scan in place of its code. */
  nameOf?: (scan: UnresolvedScan<P, F>) => string
  /** The buttons of a scan, beside the one that removes it. */
  actionsOf: (scan: UnresolvedScan<P, F>) => ScanAction[]
  onRemove: (code: string) => void
}

/** The scans that do not count, each with its reason and its actions. */
export function UnresolvedScans<P, F extends string>({
  title,
  state,
  adviceOf,
  nameOf = ({ code }) => code,
  actionsOf,
  onRemove,
}: Props<P, F>) {
  const { count } = useFormat()
  // a pending lookup ends within a moment, so it is listed only while the API does not answer
  const scans = state.scans.filter(({ fault }) => fault !== null || state.lookupFailure !== 'none')
  const newest = scans.at(-1)
  const adviceFor = (scan: UnresolvedScan<P, F>) =>
    scan.fault === null ? 'We will look it up when you are back online.' : adviceOf(scan)
  return (
    <>
      <VisuallyHidden role="status">
        {newest && `${nameOf(newest)} is not counted. ${adviceFor(newest)}`}
      </VisuallyHidden>
      {newest && (
        <div id={sectionId} className={classes.section}>
          <Card isFlush title={title}>
            <RowTable
              label={title}
              rows={scans}
              keyOf={({ code }) => code}
              columns={[
                { name: 'Code', cell: (scan) => <span className={classes.code}>{nameOf(scan)}</span> },
                { name: 'Pieces', cell: ({ times }) => (times === 0 ? '—' : count(times)), isNumber: true },
                { name: 'What to do', cell: (scan) => <span>{adviceFor(scan)}</span> },
                {
                  name: 'Actions',
                  isNumber: true,
                  cell: (scan) => (
                    <Group gap="xs" justify="flex-end">
                      {actionsOf(scan).map(({ name, onClick }) => (
                        <Button key={name} size="xs" variant="default" onClick={onClick}>
                          {name}
                        </Button>
                      ))}
                      <Button
                        size="xs"
                        variant="default"
                        onClick={() => onRemove(scan.code)}
                        aria-label={`Remove ${nameOf(scan)}`}
                      >
                        Remove
                      </Button>
                    </Group>
                  ),
                },
              ]}
            />
          </Card>
        </div>
      )}
    </>
  )
}
