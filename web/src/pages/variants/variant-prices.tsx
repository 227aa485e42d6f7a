import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { SupplierProduct } from '../../../../shared/schemas/supplier-products.ts'
import { readQuery, useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { notifyDone, notifyRefused } from '../../components/feedback/notify.ts'
import { Card } from '../../components/layout/card.tsx'
import { TextLink } from '../../components/layout/link-button.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { type Column, RowTable } from '../../components/tables/row-table.tsx'
import { Badge } from '../../components/tables/status-badge.tsx'

/** What the suppliers of a variant charge, the preferred one first. Hidden while no supplier lists the variant. */
export function VariantPrices({ id }: { id: string }) {
  const { count, costIn, days } = useFormat()
  const { data, error, refetch } = useQuery(readQuery('GET /variants/:id/suppliers', { params: { id } }))
  const prefer = useChange('PUT /suppliers/:id/products/:supplierProductId', {
    onDone: ({ supplierName }) => notifyDone(`${supplierName} is preferred now`),
    onRefused: notifyRefused,
  })
  if (error && !data) {
    return (
      <Card title="Prices of suppliers">
        <ErrorNotice error={error} onRetry={refetch} />
      </Card>
    )
  }
  if (!data || data.length === 0) return null
  const preferred = data.find(({ isActive }) => isActive)
  const columns: Column<SupplierProduct>[] = [
    {
      name: 'Supplier',
      cell: ({ supplierId, supplierName, supplierSku }) => (
        <>
          <TextLink
            to="/suppliers/$id/products"
            params={{ id: supplierId }}
            search={{}}
            underline="hover"
            inherit
          >
            {supplierName}
          </TextLink>
          {supplierSku && ` · ${supplierSku}`}
        </>
      ),
    },
    {
      name: 'Price today',
      cell: ({ price, currency }) => (price === null ? '—' : costIn(price, currency)),
      isNumber: true,
    },
    { name: 'Pack size', cell: ({ packSize }) => count(packSize), isNumber: true },
    {
      name: 'Minimum',
      cell: ({ minimumQuantity }) => (minimumQuantity === null ? '—' : count(minimumQuantity)),
      isNumber: true,
    },
    {
      name: 'Lead time',
      cell: ({ leadTimeDays }) => (leadTimeDays === null ? '—' : days(leadTimeDays)),
      isNumber: true,
    },
    { name: 'Rank', cell: ({ rank }) => count(rank), isNumber: true },
    {
      name: 'Preferred',
      isAction: true,
      cell: (product) =>
        !product.isActive ? (
          <Badge look={['Inactive', 'quiet']} />
        ) : product.id === preferred?.id ? (
          <Badge look={['Preferred', 'good']} />
        ) : (
          <Button
            variant="default"
            size="xs"
            aria-label={`Prefer ${product.supplierName}`}
            loading={prefer.isPending && prefer.variables?.params.supplierProductId === product.id}
            onClick={() =>
              prefer.mutate({
                params: { id: product.supplierId, supplierProductId: product.id },
                body: { rank: 1, version: product.version },
              })
            }
          >
            Prefer
          </Button>
        ),
    },
  ]
  return (
    <Card title="Prices of suppliers" isFlush>
      <RowTable label="Prices of suppliers" columns={columns} rows={data} keyOf={(product) => product.id} />
    </Card>
  )
}
