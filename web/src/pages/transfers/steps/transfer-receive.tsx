import { Button } from '@mantine/core'
import { IconBarcode } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { StockTransfer } from '../../../../../shared/schemas/stock-transfers.ts'
import { readQuery, useChange } from '../../../api/queries.ts'
import { byBin } from '../../../components/bins/by-bin.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { type FieldErrors, fieldErrors, withoutErrorsOf } from '../../../components/forms/form-errors.ts'
import { FormLock } from '../../../components/forms/form-lock.tsx'
import { QuantityField } from '../../../components/forms/quantity-field.tsx'
import { SaveBar } from '../../../components/forms/save-bar.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { usePageNavigate } from '../../../components/layout/page-navigate.ts'
import { useFormat } from '../../../components/shop/format.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { Empty } from '../../../components/tables/data-list.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import { type Column, RowTable } from '../../../components/tables/row-table.tsx'
import classes from '../transfers.module.css'
import { linesByVariant, sumOf, type VariantLine } from '../variant-lines.ts'

const route = getRouteApi('/transfers/$id/receive')
const fields = [
  ['received', 'Received'],
  ['lost', 'Lost'],
  ['damaged', 'Damaged'],
] as const
type Field = (typeof fields)[number][0]
type Typed = Partial<Record<Field, number | ''>>

export function TransferReceive() {
  const { id } = route.useParams()
  const query = useQuery(readQuery('GET /stock-transfers/:id', { params: { id } }))
  return <Loaded query={query}>{(transfer) => <Receiving key={transfer.id} transfer={transfer} />}</Loaded>
}

/** What is left of a transfer after a receipt, as in "7 pieces are still to ship". */
function restOf(inTransit: number, toShip: number, many: Format['many']) {
  const still = (pieces: number, where: string) =>
    pieces > 0 ? [`${many(pieces, 'piece')} ${pieces === 1 ? 'is' : 'are'} still ${where}`] : []
  return [...still(inTransit, 'in transit'), ...still(toShip, 'to ship')]
}

/** What became of the pieces of each product; the rest stays in transit. */
function Receiving({ transfer }: { transfer: StockTransfer }) {
  const { id, destinationLocationName } = transfer
  const { count, many } = useFormat()
  const navigate = usePageNavigate()
  const params = { id }
  const moving = linesByVariant(transfer).filter(({ inTransit }) => inTransit > 0)
  const lines = byBin(moving, ({ destinationBin }) => destinationBin)
  const [typed, setTyped] = useState<Record<string, Typed>>({})
  const items = lines.flatMap(({ variantId }) => {
    const of = typed[variantId] ?? {}
    const [received, lost, damaged] = fields.map(([field]) => Number(of[field] ?? 0))
    const item = { variantId, received: received ?? 0, lost: lost ?? 0, damaged: damaged ?? 0 }
    // NaN is sent, too: the request is refused with an error at its field
    return item.received + item.lost + item.damaged === 0 ? [] : [item]
  })
  const [errors, setErrors] = useState<FieldErrors>({})
  const receive = useChange('POST /stock-transfers/:id/receive', {
    isForm: true,
    onDone: ({ status }) => {
      const inTransit = sumOf(lines, leftOf)
      const toShip = sumOf(linesByVariant(transfer), (line) => line.toShip)
      notifyDone(
        status === 'completed'
          ? `Transfer completed at ${destinationLocationName}`
          : ['Saved', ...restOf(inTransit, toShip, many)].join('; '),
      )
      return navigate({ to: '/transfers/$id', params, ignoreBlocker: true })
    },
    // the API names an item by its place in the request, which contains only products with a quantity
    onRefused: (error, { body }) =>
      setErrors(
        Object.fromEntries(
          Object.entries(fieldErrors(error)).map(([path, message]) => {
            const [, at, field = 'received'] = path.split('.')
            return [`${body.items[Number(at)]?.variantId}.${field}`, message]
          }),
        ),
      ),
  })
  const set = (variantId: string, change: Typed) => {
    // the limit is that of the sum of the product's fields
    setErrors((now) => withoutErrorsOf(now, variantId))
    setTyped((now) => ({ ...now, [variantId]: { ...now[variantId], ...change } }))
  }
  const leftOf = ({ variantId, inTransit }: VariantLine) => {
    const item = items.find((line) => line.variantId === variantId)
    return inTransit - (item ? item.received + item.lost + item.damaged : 0)
  }
  const restart = (changed: Record<string, Typed>) => {
    setErrors({})
    setTyped(changed)
  }
  const receiveAll = () =>
    restart(Object.fromEntries(lines.map(({ variantId, inTransit }) => [variantId, { received: inTransit }])))
  const inputs = fields.map(
    ([field, name]): Column<VariantLine> => ({
      name,
      isNumber: true,
      width: 126,
      cell: ({ variantId, title }) => (
        <QuantityField
          label={`${name} of ${title}`}
          value={typed[variantId]?.[field] ?? ''}
          onChange={(quantity) => set(variantId, { [field]: quantity })}
          placeholder="0"
          error={errors[`${variantId}.${field}`]}
        />
      ),
    }),
  )
  return (
    <PageBody>
      <PageHeader
        title={`Receive transfer #${id}`}
        back={{ to: `/transfers/${id}`, name: `transfer #${id}` }}
        actions={
          <LinkButton
            variant="default"
            to="/transfers/$id/scan"
            params={params}
            leftSection={<IconBarcode size={16} />}
          >
            Receive by scanning
          </LinkButton>
        }
      />
      {receive.error && <ErrorNotice error={receive.error} fields={errors} />}
      <FormLock isBusy={receive.isPending}>
        {lines.length === 0 ? (
          <Empty title="Nothing is in transit" text="Go back to the transfer, and ship its goods first." />
        ) : (
          <Card
            isFlush
            title={`Arrived at ${destinationLocationName}`}
            action={
              <Button variant="default" size="xs" className={classes.whole} onClick={receiveAll}>
                All arrived
              </Button>
            }
          >
            <RowTable
              label="Products to receive"
              rows={lines}
              keyOf={({ variantId }) => variantId}
              columns={[
                {
                  name: 'Product',
                  cell: (line) => <ProductName title={line.title} sku={line.sku} bin={line.destinationBin} />,
                },
                { name: 'In transit', cell: ({ inTransit }) => count(inTransit), isNumber: true },
                ...inputs,
                {
                  name: 'Stays in transit',
                  isNumber: true,
                  cell: (line) =>
                    leftOf(line) < 0 ? `${many(-leftOf(line), 'piece')} too many` : count(leftOf(line)),
                },
              ]}
            />
          </Card>
        )}
      </FormLock>
      {lines.length > 0 && (
        <SaveBar
          isNew
          isDirty={items.length > 0 && !receive.isSuccess}
          isBusy={receive.isPending}
          isBlocked={items.length === 0}
          save="Save receipt"
          onSave={() => receive.mutate({ params, body: { items } })}
          onDiscard={() => {
            restart({})
            receive.discard()
          }}
        />
      )}
    </PageBody>
  )
}
