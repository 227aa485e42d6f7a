import { Button, Text } from '@mantine/core'
import { IconBarcode } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { StockTransfer } from '../../../../../shared/schemas/stock-transfers.ts'
import { ApiError } from '../../../api/api-error.ts'
import { readQuery, useChange } from '../../../api/queries.ts'
import { byBin } from '../../../components/bins/by-bin.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { type FieldErrors, itemErrors, withoutErrorsOf } from '../../../components/forms/form-errors.ts'
import { FormLock } from '../../../components/forms/form-lock.tsx'
import { QuantityField } from '../../../components/forms/quantity-field.tsx'
import { SaveBar } from '../../../components/forms/save-bar.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { usePageNavigate } from '../../../components/layout/page-navigate.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { Empty } from '../../../components/tables/data-list.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import { RowTable } from '../../../components/tables/row-table.tsx'
import { SourceStock, useSourceStock } from '../source-stock.tsx'
import { linesByVariant } from '../variant-lines.ts'

const route = getRouteApi('/transfers/$id/ship')

export function TransferShip() {
  const { id } = route.useParams()
  const query = useQuery(readQuery('GET /stock-transfers/:id', { params: { id } }))
  return <Loaded query={query}>{(transfer) => <Shipping key={transfer.id} transfer={transfer} />}</Loaded>
}

/** The pieces of each product that leave the source now; first all that are left to ship. */
function Shipping({ transfer }: { transfer: StockTransfer }) {
  const { id, sourceLocationId, sourceLocationName, status } = transfer
  const { count } = useFormat()
  const navigate = usePageNavigate()
  const params = { id }
  const isOpen = status !== 'completed' && status !== 'cancelled'
  const left = isOpen ? linesByVariant(transfer).filter(({ toShip }) => toShip > 0) : []
  const lines = byBin(left, ({ sourceBin }) => sourceBin)
  const stockOf = useSourceStock(lines, sourceLocationId)
  const [typed, setTyped] = useState<Record<string, number | ''>>({})
  const quantityOf = ({ variantId, toShip }: (typeof lines)[number]) => typed[variantId] ?? toShip
  const items = lines.flatMap((line) => {
    const quantity = Number(quantityOf(line))
    // NaN is sent, too: the request is refused with an error at its field
    return quantity === 0 ? [] : [{ variantId: line.variantId, quantity }]
  })
  const [errors, setErrors] = useState<FieldErrors>({})
  const ship = useChange('POST /stock-transfers/:id/ship', {
    isForm: true,
    onDone: () => {
      notifyDone(`Transfer shipped from ${sourceLocationName}`)
      return navigate({ to: '/transfers/$id', params, ignoreBlocker: true })
    },
    onRefused: (error, { body }) =>
      setErrors(itemErrors(error, body?.items?.map(({ variantId }) => variantId) ?? [])),
  })
  const submit = (allowNegative: boolean) => {
    setErrors({})
    ship.mutate({ params, body: { items, ...(allowNegative && { allowNegative }) } })
  }
  const isShort = ship.error instanceof ApiError && ship.error.code === 'insufficient_stock'
  return (
    <PageBody>
      <PageHeader
        title={`Ship transfer #${id}`}
        back={{ to: `/transfers/${id}`, name: `transfer #${id}` }}
        actions={
          <LinkButton
            variant="default"
            to="/transfers/$id/ship/scan"
            params={params}
            leftSection={<IconBarcode size={16} />}
          >
            Ship by scanning
          </LinkButton>
        }
      />
      {ship.error && !isShort && <ErrorNotice error={ship.error} fields={errors} />}
      {isShort && (
        <NotEnoughStock place={sourceLocationName} isBusy={ship.isPending} onConfirm={() => submit(true)} />
      )}
      <FormLock isBusy={ship.isPending}>
        {lines.length === 0 ? (
          <Empty
            title="Nothing is left to ship"
            text="Go back to the transfer to receive what is in transit."
          />
        ) : (
          <Card isFlush title={`Leaves ${sourceLocationName} now`}>
            <RowTable
              label="Products to ship"
              rows={lines}
              keyOf={({ variantId }) => variantId}
              columns={[
                {
                  name: 'Product',
                  cell: (line) => <ProductName title={line.title} sku={line.sku} bin={line.sourceBin} />,
                },
                {
                  name: 'At the source',
                  isNumber: true,
                  cell: (line) => <SourceStock stock={stockOf(line.variantId)} quantity={quantityOf(line)} />,
                },
                { name: 'Planned', cell: ({ quantity }) => count(quantity), isNumber: true },
                { name: 'Shipped before', cell: ({ shipped }) => count(shipped), isNumber: true },
                {
                  name: 'Ship now',
                  isNumber: true,
                  cell: (line) => (
                    <QuantityField
                      label={`Ship of ${line.title}`}
                      value={quantityOf(line)}
                      onChange={(quantity) => {
                        setErrors((now) => withoutErrorsOf(now, line.variantId))
                        setTyped((now) => ({ ...now, [line.variantId]: quantity }))
                      }}
                      placeholder="0"
                      error={errors[line.variantId]}
                    />
                  ),
                },
              ]}
            />
          </Card>
        )}
      </FormLock>
      {lines.length > 0 && (
        <SaveBar
          isNew
          isDirty={Object.keys(typed).length > 0 && !ship.isSuccess}
          isBusy={ship.isPending}
          isBlocked={items.length === 0}
          save="Ship"
          onSave={() => submit(false)}
          onDiscard={() => {
            setErrors({})
            setTyped({})
            ship.discard()
          }}
        />
      )}
    </PageBody>
  )
}

type ShortProps = { place: string; isBusy: boolean; onConfirm: () => void }

const NotEnoughStock = ({ place, isBusy, onConfirm }: ShortProps) => (
  <Notice tone="waiting" title={`Not enough stock at ${place}`}>
    <Text c="#1c2024">
      No stock has moved. Lower the marked quantities, or ship anyway; stock at {place} will go negative until
      you count it.
    </Text>
    <Button size="xs" mt="sm" variant="default" loading={isBusy} onClick={onConfirm}>
      Ship anyway
    </Button>
  </Notice>
)
