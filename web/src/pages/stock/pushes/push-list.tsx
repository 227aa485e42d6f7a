import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { StockPush } from '../../../../../shared/schemas/stock-pushes.ts'
import { listing } from '../../../api/queries.ts'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { DataList } from '../../../components/tables/data-list.tsx'
import classes from '../stock.module.css'
import { DiscardDialog } from './discard-dialog.tsx'
import { pollIntervalMs } from './moments.ts'
import { pushColumns } from './push-columns.tsx'
import { useDeciding } from './use-deciding.ts'

/** Changes of stock that the platform has not taken over yet. */
export function PushList() {
  const list = listing('GET /stock-pushes', { query: {} })
  const query = useInfiniteQuery({
    ...list,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ records }) => records.some(isMoving)) ? pollIntervalMs : false,
  })
  const [doomed, setDoomed] = useState<StockPush | null>(null)
  const rows = useRef<HTMLDivElement>(null)
  const { retry, discard } = useDeciding(list, () => setDoomed(null))
  const columns = pushColumns(useFormat(), {
    onRetry: ({ id }) => {
      retry.mutate({ params: { id } })
      rows.current?.focus()
    },
    onDiscard: setDoomed,
  })
  return (
    <PageBody>
      <PageHeader title="On its way to your shop" back={{ to: '/stock', name: 'Stock' }} />
      {/* what was decided about goes, and its buttons with it: the focus stays with the others */}
      <div ref={rows} tabIndex={-1} className={classes.rows}>
        <DataList
          label="Changes of stock on their way to your shop"
          query={query}
          columns={columns}
          keyOf={({ id }) => id}
          empty={{
            title: 'Nothing is on its way',
            text: 'Every change of stock that was made here has reached your shop.',
            action: (
              <LinkButton to="/stock" variant="default">
                To the stock
              </LinkButton>
            ),
          }}
        />
      </div>
      <DiscardDialog
        push={doomed}
        discard={discard}
        onClose={() => {
          discard.reset()
          setDoomed(null)
        }}
        returnTo={rows}
      />
    </PageBody>
  )
}

const isMoving = ({ state }: StockPush) => state !== 'failed'
