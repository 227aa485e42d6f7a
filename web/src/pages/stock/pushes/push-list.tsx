import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { StockPush } from '../../../../../shared/schemas/stock-pushes.ts'
import { listQuery } from '../../../api/queries.ts'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { DataList } from '../../../components/tables/data-list.tsx'
import classes from '../stock.module.css'
import { DiscardDialog } from './discard-dialog.tsx'
import { pollIntervalMs } from './poll-interval.ts'
import { pushColumns } from './push-columns.tsx'
import { usePushActions } from './use-push-actions.ts'

/** The stock changes that the platform has not confirmed. */
export function PushList() {
  const list = listQuery('GET /stock-pushes', { query: {} })
  const query = useInfiniteQuery({
    ...list,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ records }) => records.some(isUnfinished)) ? pollIntervalMs : false,
  })
  const [discarding, setDiscarding] = useState<StockPush | null>(null)
  const rows = useRef<HTMLDivElement>(null)
  const { retry, discard } = usePushActions(list, () => setDiscarding(null))
  const columns = pushColumns(useFormat(), {
    onRetry: ({ id }) => {
      retry.mutate({ params: { id } })
      rows.current?.focus()
    },
    onDiscard: setDiscarding,
  })
  return (
    <PageBody>
      <PageHeader title="Changes waiting to sync" back={{ to: '/stock', name: 'Stock' }} />
      {/* takes the focus when a retried row, and the focused button in it, disappears */}
      <div ref={rows} tabIndex={-1} className={classes.rows}>
        <DataList
          label="Changes waiting to sync"
          query={query}
          columns={columns}
          keyOf={({ id }) => id}
          empty={{
            title: 'No changes waiting',
            text: 'All stock changes are synced.',
            action: (
              <LinkButton to="/stock" variant="default">
                Back to stock
              </LinkButton>
            ),
          }}
        />
      </div>
      <DiscardDialog
        push={discarding}
        discard={discard}
        onClose={() => {
          discard.reset()
          setDiscarding(null)
        }}
        returnTo={rows}
      />
    </PageBody>
  )
}

const isUnfinished = ({ state }: StockPush) => state !== 'failed'
