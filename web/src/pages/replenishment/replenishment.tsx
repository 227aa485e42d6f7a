import { Button, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReplenishmentOrders, ReplenishmentRow } from '../../../../shared/schemas/replenishment.ts'
import { listQuery, useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { fieldErrors } from '../../components/forms/form-errors.ts'
import { Card } from '../../components/layout/card.tsx'
import { LinkButton } from '../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { LocationPicker } from '../../components/pickers/location-picker.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { CsvButton } from '../../components/tables/csv-button.tsx'
import { Empty } from '../../components/tables/data-list.tsx'
import { RowTable } from '../../components/tables/row-table.tsx'
import { CreatedDrafts } from '../reorder/suggestions/created-drafts.tsx'
import { planColumns } from './plan-columns.tsx'
import { defaultDays, type PlanFilter, readPlanFilter } from './plan-filter.ts'
import { groupRows } from './plan-groups.ts'
import { PlanHeader } from './plan-header.tsx'
import classes from './replenishment.module.css'
import { SupplierPlan } from './supplier-plan.tsx'

const route = getRouteApi('/replenishment')

/** The API's limit of one request. */
const maxItems = 1000

/** What to order so that the stock lasts a number of days, by supplier. */
export function Replenishment() {
  const filter = readPlanFilter(route.useSearch())
  const navigate = route.useNavigate()
  const query = { days: defaultDays, ...filter }
  return (
    <PageBody>
      <PageHeader
        title="Replenishment"
        actions={<CsvButton path="/replenishment" query={query} name="replenishment" />}
      />
      <PlanHeader
        filter={filter}
        onChange={(change) =>
          navigate({
            search: (now) => readPlanFilter({ ...now, ...change }),
            replace: true,
            resetScroll: false,
          })
        }
      />
      <Plan key={JSON.stringify(query)} query={query} isFiltered={filter.supplierId !== undefined} />
    </PageBody>
  )
}

function Plan({ query, isFiltered }: { query: PlanFilter; isFiltered: boolean }) {
  const format = useFormat()
  const { data, error, isPending, isPlaceholderData, refetch, ...pages } = useInfiniteQuery(
    listQuery('GET /replenishment', { query: { limit: 250, ...query } }),
  )
  const [choices, setChoices] = useState<Readonly<Record<string, boolean>>>({})
  const [typed, setTyped] = useState<Readonly<Record<string, number | ''>>>({})
  const [destination, setDestination] = useState<string | null>(null)
  const [created, setCreated] = useState<ReplenishmentOrders | null>(null)
  const [requested, setRequested] = useState<readonly ReplenishmentRow[]>([])
  const create = useChange('POST /replenishment/orders', {
    onDone: (orders) => {
      setCreated(orders)
      // what is in a draft now is no longer chosen
      setChoices((now) => ({
        ...now,
        ...Object.fromEntries(requested.map(({ variantId }) => [variantId, false])),
      }))
    },
  })
  const rows = isPlaceholderData ? [] : (data?.pages.flatMap(({ records }) => records) ?? [])
  const typedOf = ({ variantId, suggestedQuantity }: ReplenishmentRow) =>
    typed[variantId] ?? suggestedQuantity
  const quantityOf = (row: ReplenishmentRow) => Number(typedOf(row))
  const isTicked = ({ variantId, supplierId, inDraft, suggestedQuantity }: ReplenishmentRow) =>
    supplierId !== null && (choices[variantId] ?? (inDraft === 0 && suggestedQuantity > 0))
  const isChosen = (row: ReplenishmentRow) => isTicked(row) && quantityOf(row) > 0
  const chosen = rows.filter(isChosen)
  const errors = fieldErrors(create.error)
  const choose = (changed: readonly ReplenishmentRow[], isOn: boolean) =>
    setChoices((now) => ({
      ...now,
      ...Object.fromEntries(changed.map(({ variantId }) => [variantId, isOn])),
    }))
  const order = (ordered: readonly ReplenishmentRow[]) => {
    setRequested(ordered)
    const items = ordered.flatMap((row) =>
      row.supplierId === null
        ? []
        : [
            {
              variantId: row.variantId,
              supplierId: row.supplierId,
              quantity: quantityOf(row),
              destinationLocationId: destination,
            },
          ],
    )
    create.mutate({ body: { items } })
  }
  const columns = planColumns({
    format,
    isChosen: isTicked,
    onChoose: choose,
    quantityOf: typedOf,
    onQuantity: (row, quantity) => setTyped((now) => ({ ...now, [row.variantId]: quantity })),
    errorOf: (row) => errors[`items.${requested.indexOf(row)}.quantity`],
  })

  if (error && !data) return <ErrorNotice error={error} onRetry={refetch} />
  if (isPending || isPlaceholderData) {
    return (
      <Card isFlush title="What to order">
        <RowTable label="What to order" columns={columns} rows={[]} keyOf={() => 0} isPending />
      </Card>
    )
  }
  const isTooMany = chosen.length > maxItems
  return (
    <>
      {created && (
        <CreatedDrafts drafts={{ ...created, skipped: [] }} recovered={0} onClose={() => setCreated(null)} />
      )}
      {rows.length === 0 && !pages.hasNextPage && <NothingToOrder isFiltered={isFiltered} />}
      {groupRows(rows).map((group) => (
        <SupplierPlan
          key={group.supplierId}
          group={group}
          columns={columns}
          isChosen={isChosen}
          quantityOf={quantityOf}
          onChoose={choose}
          onOrder={order}
          isBusy={create.isPending}
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
      {create.error !== null && <ErrorNotice error={create.error} />}
      {rows.length > 0 && (
        <section className={classes.bar} aria-label="Chosen products">
          <Text size="sm" role="status" className={classes.text}>
            {format.many(chosen.length, 'product')} chosen
            {isTooMany && `: choose at most ${format.count(maxItems)}`}
          </Text>
          <LocationPicker
            label="Deliver to"
            value={destination}
            onChange={setDestination}
            placeholder="Primary location"
            isClearable
          />
          <Button
            disabled={chosen.length === 0 || isTooMany}
            loading={create.isPending}
            onClick={() => order(chosen)}
          >
            Create draft orders
          </Button>
        </section>
      )}
    </>
  )
}

/** Says what a suggestion needs. */
const NothingToOrder = ({ isFiltered }: { isFiltered: boolean }) => (
  <Empty
    title="Nothing to order"
    text={
      isFiltered
        ? 'The products of this supplier last that long. Raise the days, or add products to the supplier: only those that sell are suggested.'
        : 'The stock lasts that long. A product needs sales, so that there is a forecast after the next night, and a supplier. Raise the days to order for longer.'
    }
    action={
      <LinkButton to="/suppliers" variant="default">
        Suppliers
      </LinkButton>
    }
  />
)
