import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import type { BudgetRow } from '../../../../shared/schemas/buying-budgets.ts'
import type { ReplenishmentOrders, ReplenishmentRow } from '../../../../shared/schemas/replenishment.ts'
import { ApiError } from '../../api/api-error.ts'
import { useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { notifyRefused } from '../../components/feedback/notify.ts'
import { type FieldErrors, itemErrors, withoutErrorsOf } from '../../components/forms/form-errors.ts'
import { Card } from '../../components/layout/card.tsx'
import { LocationPicker } from '../../components/pickers/location-picker.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { RowTable } from '../../components/tables/row-table.tsx'
import { CreatedDrafts } from '../reorder/suggestions/created-drafts.tsx'
import { planColumns } from './plan-columns.tsx'
import type { PlanGroup } from './plan-groups.ts'
import classes from './replenishment.module.css'
import { SupplierPlan } from './supplier-plan.tsx'

/** The API's limit of one request. */
const maxItems = 1000

/** A row of a budget has what the budget pays. */
export type PlanRow = ReplenishmentRow &
  Partial<Pick<BudgetRow, 'budgetQuantity' | 'overBudgetReason' | 'margin'>>

type More = {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
  error: unknown
}

type Props = {
  rows: readonly PlanRow[]
  groups: readonly PlanGroup[]
  /** Where the orders arrive, unless the buyer chooses another place. */
  locationId?: string
  more?: More
  /** A sentence about the chosen rows. */
  noteOf?: (chosen: readonly PlanRow[], quantityOf: (row: PlanRow) => number) => string
}

/** Suggestions with their quantities to choose and change, and the button that creates the orders. */
export function Plan({ rows, groups, locationId, more, noteOf }: Props) {
  const format = useFormat()
  const [choices, setChoices] = useState<Readonly<Record<string, boolean>>>({})
  const [typed, setTyped] = useState<Readonly<Record<string, number | ''>>>({})
  const [destination, setDestination] = useState<string | null>(locationId ?? null)
  const [created, setCreated] = useState<ReplenishmentOrders | null>(null)
  const [requested, setRequested] = useState<readonly ReplenishmentRow[]>([])
  const [errors, setErrors] = useState<FieldErrors>({})
  const create = useChange('POST /replenishment/orders', {
    isForm: true,
    onDone: (orders) => {
      setCreated(orders)
      // what is in a draft now is no longer chosen
      setChoices((now) => ({
        ...now,
        ...Object.fromEntries(requested.map(({ variantId }) => [variantId, false])),
      }))
    },
    onRefused: (error, { body }) => {
      setErrors(itemErrors(error, body?.items.map(({ variantId }) => variantId) ?? []))
      if (!(error instanceof ApiError) || !error.isSavedBefore) return
      // what is in these drafts is no longer chosen, and the buyer goes on with the rest
      setChoices({})
      notifyRefused(error)
      create.discard()
    },
  })
  const typedOf = ({ variantId, suggestedQuantity, budgetQuantity }: PlanRow) =>
    typed[variantId] ?? (budgetQuantity || suggestedQuantity)
  const quantityOf = (row: PlanRow) => Number(typedOf(row))
  const isTicked = ({ variantId, supplierId, inDraft, suggestedQuantity, budgetQuantity }: PlanRow) =>
    supplierId !== null &&
    (choices[variantId] ?? (inDraft === 0 && (budgetQuantity ?? suggestedQuantity) > 0))
  // NaN is chosen, too: the request is refused with an error at its field
  const isChosen = (row: PlanRow) => isTicked(row) && quantityOf(row) !== 0
  const chosen = rows.filter(isChosen)
  const choose = (changed: readonly PlanRow[], isOn: boolean) =>
    setChoices((now) => ({
      ...now,
      ...Object.fromEntries(changed.map(({ variantId }) => [variantId, isOn])),
    }))
  const order = (ordered: readonly PlanRow[]) => {
    setRequested(ordered)
    setErrors({})
    const items = ordered.flatMap((row) =>
      row.supplierId === null
        ? []
        : [
            {
              variantId: row.variantId,
              supplierId: row.supplierId,
              quantity: quantityOf(row),
              // a quantity of the buyer is not rounded
              ...(quantityOf(row) === row.suggestedQuantity && { roundedUpBy: row.roundedUpBy }),
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
    onQuantity: ({ variantId }, quantity) => {
      setErrors((now) => withoutErrorsOf(now, variantId))
      setTyped((now) => ({ ...now, [variantId]: quantity }))
    },
    errorOf: ({ variantId }) => errors[variantId],
  })
  const isTooMany = chosen.length > maxItems
  const note = noteOf?.(chosen, quantityOf)
  return (
    <>
      {created && (
        <CreatedDrafts drafts={{ ...created, skipped: [] }} recovered={0} onClose={() => setCreated(null)} />
      )}
      {groups.map((group) => (
        <SupplierPlan
          key={group.key}
          group={group}
          columns={columns}
          isChosen={isChosen}
          quantityOf={quantityOf}
          onChoose={choose}
          onOrder={order}
          isBusy={create.isPending}
          isPartial={more?.hasNextPage ?? false}
        />
      ))}
      {more?.hasNextPage && (
        <div className={classes.more}>
          {Boolean(more.error) && <ErrorNotice error={more.error} />}
          <Button variant="default" loading={more.isFetchingNextPage} onClick={() => more.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
      {create.error !== null && <ErrorNotice error={create.error} fields={errors} />}
      {rows.length > 0 && (
        <section className={classes.bar} aria-label="Chosen products">
          <Text size="sm" role="status" className={classes.text}>
            {format.many(chosen.length, 'product')} chosen
            {isTooMany && `: choose at most ${format.count(maxItems)}`}
            {note && `, ${note}`}
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

/** The empty table while the suggestions are being read. */
export function PlanLoading() {
  const columns = planColumns({
    format: useFormat(),
    isChosen: () => false,
    onChoose: () => {},
    quantityOf: () => '',
    onQuantity: () => {},
    errorOf: () => undefined,
  })
  return (
    <Card isFlush title="What to order">
      <RowTable label="What to order" columns={columns} rows={[]} keyOf={() => 0} isPending />
    </Card>
  )
}
