import { Button, Group, VisuallyHidden } from '@mantine/core'
import { Card } from '../../../components/layout/card.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { RowTable } from '../../../components/tables/row-table.tsx'
import type { Tally } from '../offline/draft.ts'
import type { Scan, TallyState } from '../offline/state.ts'
import classes from './unplaced-scans.module.css'

const placeId = 'unplaced-scans'

/** Leads to what was scanned and is not in the count. */
export const showUnplaced = () => document.getElementById(placeId)?.scrollIntoView()

/** What was scanned and is not in the count, each with what to do about it. */
export function UnplacedScans({ tally, state }: { tally: Tally; state: TallyState }) {
  const { count } = useFormat()
  // what is being looked for is there in a moment, unless nobody answers
  const scans = state.scans.filter(({ fault }) => fault !== null || state.trouble === 'retrying')
  const newest = scans.at(-1)
  return (
    <>
      <VisuallyHidden role="status">
        {newest && `${newest.code} is not counted. ${adviceOf(newest)}`}
      </VisuallyHidden>
      {newest && (
        <div id={placeId} className={classes.place}>
          <Card isFlush title="Scanned, and not counted">
            <RowTable
              label="Scanned, and not counted"
              rows={scans}
              keyOf={({ code }) => code}
              columns={[
                {
                  name: 'Code',
                  cell: ({ code, fault, found }) => (
                    <span className={classes.code}>{fault === 'refused' ? found[0]?.title : code}</span>
                  ),
                },
                { name: 'Pieces', cell: ({ times }) => (times === 0 ? '—' : count(times)), isNumber: true },
                { name: 'What to do', cell: (scan) => <span>{adviceOf(scan)}</span> },
                { name: 'Decide', isNumber: true, cell: (scan) => <Ways scan={scan} tally={tally} /> },
              ]}
            />
          </Card>
        </div>
      )}
    </>
  )
}

function Ways({ scan: { code, fault, found }, tally }: { scan: Scan; tally: Tally }) {
  return (
    <Group gap="xs" justify="flex-end">
      {fault === 'several' &&
        found.map((product) => (
          <Button
            key={product.variantId}
            size="xs"
            variant="default"
            onClick={() => tally.choose(code, product)}
          >
            {product.title}
          </Button>
        ))}
      {(fault === 'unknown' || fault === 'untracked') && (
        <Button size="xs" variant="default" onClick={() => tally.seekAgain(code)}>
          Look again
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => tally.dropScan(code)} aria-label={`Remove ${code}`}>
        Remove
      </Button>
    </Group>
  )
}

function adviceOf({ fault, found, message }: Scan): string {
  const title = found[0]?.title ?? ''
  if (fault === 'unknown') {
    return 'No product has this barcode or SKU. Put it aside; enter the barcode at its product in your shop admin, then look again.'
  }
  if (fault === 'several') return 'Several products carry this code. Choose which one it is.'
  if (fault === 'untracked') {
    return `Your shop does not count ${title}. Let it track the quantity there, then look again.`
  }
  if (fault === 'refused') return `This number was not taken: it ${message}. Count the product again.`
  return 'It is looked for as soon as there is a connection.'
}
