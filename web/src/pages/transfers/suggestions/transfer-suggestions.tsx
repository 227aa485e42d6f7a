import { Button, Checkbox, SimpleGrid, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type {
  TransferDrafts,
  TransferSuggestion,
} from '../../../../../shared/schemas/transfer-suggestions.ts'
import { ApiError } from '../../../api/api-error.ts'
import { listQuery, useChange } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { notifyRefused } from '../../../components/feedback/notify.ts'
import { type FieldErrors, itemErrors, withoutErrorsOf } from '../../../components/forms/form-errors.ts'
import { Card } from '../../../components/layout/card.tsx'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { Empty } from '../../../components/tables/data-list.tsx'
import { type ListAddress, useListAddress } from '../../../components/tables/list/list-address.ts'
import { type Column, RowTable } from '../../../components/tables/row-table.tsx'
import { readSuggestionFilter } from '../list/filter.ts'
import classes from '../transfers.module.css'
import { CreatedTransfers } from './created-transfers.tsx'
import { suggestionColumns } from './suggestion-columns.tsx'
import { groupTransfers, keyOf } from './transfer-groups.ts'

const route = getRouteApi('/transfers/suggestions')

/** The API's limit of one request. */
const maxItems = 1000

/** What locations below their reorder point could get from others; all are chosen at first. */
export function TransferSuggestions() {
  const format = useFormat()
  const { filter: ends, isFiltered, setFilter } = useListAddress(route, readSuggestionFilter)
  const filter = { sourceLocationId: ends.from, destinationLocationId: ends.to }
  const {
    data,
    error,
    isPending,
    isPlaceholderData,
    refetch,
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage,
  } = useInfiniteQuery(listQuery('GET /stock-transfers/suggestions', { query: { ...filter, limit: 250 } }))
  const [unchosen, setUnchosen] = useState<ReadonlySet<string>>(new Set())
  const [typed, setTyped] = useState<Record<string, number | ''>>({})
  const [created, setCreated] = useState<TransferDrafts['transfers'] | null>(null)
  const [requested, setRequested] = useState<readonly string[]>([])
  const [errors, setErrors] = useState<FieldErrors>({})
  // what is typed at other products is not in a transfer yet
  const forgetTyped = () =>
    setTyped((now) => Object.fromEntries(Object.entries(now).filter(([key]) => !requested.includes(key))))
  const create = useChange('POST /stock-transfers/suggestions', {
    isForm: true,
    onDone: ({ transfers }) => {
      setCreated(transfers)
      forgetTyped()
    },
    onRefused: (error) => {
      setErrors(itemErrors(error, requested))
      if (!(error instanceof ApiError) || !error.isSavedBefore) return
      // the merchant goes on with what is still suggested
      forgetTyped()
      notifyRefused(error)
      create.discard()
    },
  })
  const suggestions = data?.pages.flatMap(({ records }) => records) ?? []
  const quantityOf = (suggestion: TransferSuggestion) => typed[keyOf(suggestion)] ?? suggestion.quantity
  // NaN is chosen, too: the request is refused with an error at its field
  const chosen = suggestions.filter(
    (suggestion) => !unchosen.has(keyOf(suggestion)) && Number(quantityOf(suggestion)) !== 0,
  )
  const choose = (rows: readonly TransferSuggestion[], isChosen: boolean) =>
    setUnchosen((now) => {
      const next = new Set(now)
      for (const row of rows) isChosen ? next.delete(keyOf(row)) : next.add(keyOf(row))
      return next
    })
  const columns = suggestionColumns({
    format,
    isChosen: (suggestion) => !unchosen.has(keyOf(suggestion)),
    choose,
    quantityOf,
    onQuantity: (suggestion, quantity) => {
      setErrors((now) => withoutErrorsOf(now, keyOf(suggestion)))
      setTyped((now) => ({ ...now, [keyOf(suggestion)]: quantity }))
    },
    errorOf: (suggestion) => errors[keyOf(suggestion)],
  })
  const groups = groupTransfers(suggestions)
  const plan = () => {
    setRequested(chosen.map(keyOf))
    setErrors({})
    create.mutate({
      body: {
        items: chosen.map((suggestion) => itemOf(suggestion, Number(quantityOf(suggestion)))),
      },
    })
  }
  return (
    <PageBody>
      <PageHeader
        title="Suggested transfers"
        back={{ to: '/transfers', name: 'Transfers' }}
        actions={<CsvButton path="/stock-transfers/suggestions" query={filter} name="suggested-transfers" />}
      />
      <Ends ends={ends} setFilter={setFilter} />
      {created && <CreatedTransfers transfers={created} onClose={() => setCreated(null)} />}
      {error && !data && <ErrorNotice error={error} onRetry={refetch} />}
      {isPending && (
        <Card isFlush title="What to move">
          <RowTable label="What to move" columns={columns} rows={[]} keyOf={() => 0} isPending />
        </Card>
      )}
      {data && suggestions.length === 0 && <NothingToMove isFiltered={isFiltered} />}
      {groups.map(({ key, from, to, suggestions: rows }) => (
        <TransferGroup
          key={key}
          title={`${from} → ${to}`}
          {...{ rows, columns, choose }}
          chosenCount={rows.filter((row) => !unchosen.has(keyOf(row))).length}
        />
      ))}
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Load more
        </Button>
      )}
      {suggestions.length > 0 && (
        <Card>
          {create.error && <ErrorNotice error={create.error} fields={errors} />}
          <ChosenBar {...{ chosen, plan }} isBusy={create.isPending} isBlocked={isPlaceholderData} />
        </Card>
      )}
    </PageBody>
  )
}

const NothingToMove = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title="Nothing to move between these locations" text="Choose another location, or clear one." />
  ) : (
    <Empty
      title="Nothing to move"
      text="A suggestion appears when a location is below its reorder point and another one has more than it needs. Reorder rules set the points of locations."
      action={
        <LinkButton to="/reorder/rules" variant="default">
          Reorder rules
        </LinkButton>
      }
    />
  )

type GroupProps = {
  title: string
  rows: readonly TransferSuggestion[]
  columns: readonly Column<TransferSuggestion>[]
  chosenCount: number
  choose: (rows: readonly TransferSuggestion[], isChosen: boolean) => void
}

const TransferGroup = ({ title, rows, columns, chosenCount, choose }: GroupProps) => (
  <Card
    isFlush
    title={title}
    action={
      <Checkbox
        label="All"
        className={classes.whole}
        aria-label={`All of ${title}`}
        checked={chosenCount === rows.length}
        indeterminate={chosenCount > 0 && chosenCount < rows.length}
        onChange={(event) => choose(rows, event.currentTarget.checked)}
      />
    }
  >
    <RowTable label={title} columns={columns} rows={rows} keyOf={keyOf} />
  </Card>
)

type BarProps = {
  chosen: readonly TransferSuggestion[]
  isBusy: boolean
  isBlocked: boolean
  plan: () => void
}

function ChosenBar({ chosen, isBusy, isBlocked, plan }: BarProps) {
  const { count, many } = useFormat()
  const isTooMany = chosen.length > maxItems
  return (
    <div className={classes.bar}>
      <Text size="sm" role="status" className={classes.text}>
        {many(chosen.length, 'product')} chosen, for {many(groupTransfers(chosen).length, 'transfer')}
        {isTooMany && `: choose at most ${count(maxItems)}`}
      </Text>
      <Button onClick={plan} loading={isBusy} disabled={isBlocked || chosen.length === 0 || isTooMany}>
        Create transfers
      </Button>
    </div>
  )
}

const itemOf = (suggestion: TransferSuggestion, quantity: number) => {
  const { variantId, sourceLocationId, destinationLocationId } = suggestion
  return { variantId, sourceLocationId, destinationLocationId, quantity }
}

type EndsValue = ReturnType<typeof readSuggestionFilter>

type EndsProps = { ends: EndsValue; setFilter: ListAddress<EndsValue>['setFilter'] }

const Ends = ({ ends, setFilter }: EndsProps) => (
  <SimpleGrid cols={2} spacing="sm">
    <LocationPicker
      label="From"
      placeholder="All locations"
      value={ends.from ?? null}
      onChange={(id) => setFilter({ from: id ?? undefined })}
      isClearable
    />
    <LocationPicker
      label="To"
      placeholder="All locations"
      value={ends.to ?? null}
      onChange={(id) => setFilter({ to: id ?? undefined })}
      isClearable
    />
  </SimpleGrid>
)
