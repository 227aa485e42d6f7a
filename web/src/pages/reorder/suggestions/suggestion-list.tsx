import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { ReorderDrafts, ReorderSuggestion } from '../../../../../shared/schemas/reorder-suggestions.ts'
import { listing, useChange } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { useSettings } from '../../../components/shop/settings.tsx'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { Empty } from '../../../components/tables/data-list.tsx'
import { RowTable } from '../../../components/tables/row-table.tsx'
import { noRules } from '../rules/no-rules.tsx'
import { CreatedDrafts } from './created-drafts.tsx'
import { OrderBar } from './order-bar.tsx'
import { useOpenRows } from './row-toggle.tsx'
import { suggestionColumns } from './suggestion-columns.tsx'
import { canOrder, groupSuggestions } from './suggestion-groups.ts'
import classes from './suggestion-list.module.css'
import { SupplierGroup } from './supplier-group.tsx'

/** What to order again, by supplier. Most shops see all of it at once, so a page holds as many as the API gives. */
export function SuggestionList() {
  return (
    <PageBody>
      <PageHeader
        title="Reorder"
        actions={
          <>
            <CsvButton path="/reorder/suggestions" name="reorder-suggestions" />
            <LinkButton to="/reorder/rules" variant="default">
              Reorder rules
            </LinkButton>
          </>
        }
      />
      <Suggestions />
    </PageBody>
  )
}

function Suggestions() {
  const { data, error, isPending, refetch, ...pages } = useInfiniteQuery(
    listing('GET /reorder/suggestions', { query: { limit: 250 } }),
  )
  const rules = useInfiniteQuery(listing('GET /reorder/rules', { query: { limit: 1 } }))
  const format = useFormat()
  const { timeZone } = useSettings()
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const rows = useOpenRows()
  const [isEverything, setEverything] = useState(false)
  const [done, setDone] = useState<{ drafts: ReorderDrafts; recovered: number } | null>(null)
  const create = useChange('POST /reorder/purchase-orders', {
    onDone: (drafts, { body }) => {
      const ordered = drafts.purchaseOrders.reduce((sum, { lineItemCount }) => sum + lineItemCount, 0)
      const asked = body?.ruleIds?.length ?? 0
      setDone({ drafts, recovered: Math.max(0, asked - ordered - drafts.skipped.length) })
      setChosen(new Set())
      setEverything(false)
    },
  })
  const tick = useCallback((ids: number | readonly number[], isTicked: boolean) => {
    setEverything(false)
    setChosen((now) => {
      const next = new Set(now)
      for (const id of [ids].flat()) isTicked ? next.add(id) : next.delete(id)
      return next
    })
  }, [])

  if (error && !data) return <ErrorNotice error={error} onRetry={refetch} />
  const suggestions = data?.pages.flatMap(({ records }) => records) ?? []
  const tickable = suggestions.filter(canOrder)
  // what was ticked may have gone since
  const ticked = tickable.filter(({ ruleId }) => isEverything || chosen.has(ruleId))
  const isTicked = ({ ruleId }: ReorderSuggestion) => isEverything || chosen.has(ruleId)
  const columns = suggestionColumns({ format, timeZone, isTicked, onTick: tick, rows })
  const isEmpty = !isPending && suggestions.length === 0

  if (isPending || (isEmpty && rules.isPending)) {
    return (
      <Card isFlush title="What to order">
        <RowTable label="What to order" columns={columns} rows={[]} keyOf={() => 0} isPending />
      </Card>
    )
  }
  const hasRules = rules.data?.pages.some(({ records }) => records.length > 0) ?? true
  return (
    <>
      {done && <CreatedDrafts {...done} onClose={() => setDone(null)} />}
      {isEmpty && (
        <Empty
          {...(hasRules
            ? {
                title: 'Nothing to order',
                text: 'Every product that has a rule is above its reorder point.',
              }
            : noRules)}
        />
      )}
      {groupSuggestions(suggestions).map((group) => (
        <SupplierGroup
          key={group.supplierId}
          group={group}
          rows={rows}
          columns={columns}
          isTicked={isTicked}
          onTick={tick}
        />
      ))}
      {pages.hasNextPage && (
        <div className={classes.more}>
          {error && <ErrorNotice error={error} />}
          <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
      {tickable.length > 0 && (
        <OrderBar
          ticked={ticked.length}
          tickable={tickable.length}
          suppliers={new Set(ticked.map(({ supplierId }) => supplierId)).size}
          hasMore={pages.hasNextPage}
          isEverything={isEverything}
          isBusy={create.isPending}
          error={create.error}
          onTickAll={(isAll) =>
            tick(
              tickable.map(({ ruleId }) => ruleId),
              isAll,
            )
          }
          onEverything={() => setEverything(true)}
          onOrder={() =>
            create.mutate({ body: isEverything ? {} : { ruleIds: ticked.map(({ ruleId }) => ruleId) } })
          }
        />
      )}
    </>
  )
}
