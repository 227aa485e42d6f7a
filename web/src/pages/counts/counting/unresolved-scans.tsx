import { Button, Group, VisuallyHidden } from '@mantine/core'
import { Card } from '../../../components/layout/card.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { RowTable } from '../../../components/tables/row-table.tsx'
import type { CountDraft } from '../offline/draft.ts'
import type { CountDraftState, Scan } from '../offline/state.ts'
import classes from './unresolved-scans.module.css'

const sectionId = 'unresolved-scans'

export const scrollToUnresolved = () => document.getElementById(sectionId)?.scrollIntoView()

/** The scans that are not counted, each with its reason and its actions. */
export function UnresolvedScans({ draft, state }: { draft: CountDraft; state: CountDraftState }) {
  const { count } = useFormat()
  // a pending lookup ends within a moment, so it is listed only while the API does not answer
  const scans = state.scans.filter(({ fault }) => fault !== null || state.syncFailure === 'retrying')
  const newest = scans.at(-1)
  return (
    <>
      <VisuallyHidden role="status">
        {newest && `${newest.code} is not counted. ${adviceOf(newest)}`}
      </VisuallyHidden>
      {newest && (
        <div id={sectionId} className={classes.section}>
          <Card isFlush title="Scanned but not counted">
            <RowTable
              label="Scanned but not counted"
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
                {
                  name: 'Actions',
                  isNumber: true,
                  cell: (scan) => <ScanActions scan={scan} draft={draft} />,
                },
              ]}
            />
          </Card>
        </div>
      )}
    </>
  )
}

function ScanActions({ scan: { code, fault, found }, draft }: { scan: Scan; draft: CountDraft }) {
  return (
    <Group gap="xs" justify="flex-end">
      {fault === 'several' &&
        found.map((product) => (
          <Button
            key={product.variantId}
            size="xs"
            variant="default"
            onClick={() => draft.chooseProduct(code, product)}
          >
            {product.title}
          </Button>
        ))}
      {(fault === 'unknown' || fault === 'untracked') && (
        <Button size="xs" variant="default" onClick={() => draft.lookUpAgain(code)}>
          Retry
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => draft.dropScan(code)} aria-label={`Remove ${code}`}>
        Remove
      </Button>
    </Group>
  )
}

function adviceOf({ fault, found, message }: Scan): string {
  const title = found[0]?.title ?? ''
  if (fault === 'unknown') {
    return 'No product has this barcode or SKU. Add it to the product in your shop admin, then retry.'
  }
  if (fault === 'several') return 'Several products have this code. Choose one.'
  if (fault === 'untracked') {
    return `Your shop does not track the quantity of ${title}. Turn on tracking in your shop admin, then retry.`
  }
  if (fault === 'refused') return `This number was not saved: it ${message}. Count the product again.`
  return 'We will look it up when you are back online.'
}
