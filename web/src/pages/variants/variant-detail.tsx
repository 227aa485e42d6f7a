import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Variant } from '../../../../shared/schemas/variants.ts'
import { readQuery } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { PrintLabels } from '../../components/labels/print-labels.tsx'
import { Card } from '../../components/layout/card.tsx'
import { DetailColumns, Facts } from '../../components/layout/detail.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { Badge } from '../../components/tables/status-badge.tsx'
import { computingPollMs } from '../reorder/rules/computing.ts'
import { VariantCost } from './variant-cost.tsx'
import { VariantCosts } from './variant-costs.tsx'
import { VariantForecastCard } from './variant-forecast.tsx'
import { VariantHistory } from './variant-history.tsx'
import { VariantOrders, VariantSuppliers } from './variant-orders.tsx'
import { VariantPrices } from './variant-prices.tsx'
import { VariantRules } from './variant-rules.tsx'
import { VariantLevels, VariantSales } from './variant-stock.tsx'

const route = getRouteApi('/variants/$id')

export function VariantDetail() {
  const { id } = route.useParams()
  const query = useQuery({
    ...readQuery('GET /variants/:id', { params: { id } }),
    refetchInterval: ({ state: { data } }) =>
      data?.rules.some(({ isComputing }) => isComputing) ? computingPollMs : false,
  })
  return <Loaded query={query}>{(variant) => <Detail key={id} id={id} variant={variant} />}</Loaded>
}

/** All about one product variant. `id` is the number that ends its platform id. */
function Detail({ id, variant }: { id: string; variant: Variant }) {
  const { money } = useFormat()
  const { title, sku, barcode, vendor, productType, tags, price, isDeleted, isTracked } = variant
  return (
    <PageBody>
      <PageHeader
        title={title || 'Product'}
        mark={
          isDeleted ? (
            <Badge look={['Deleted in your shop', 'bad']} />
          ) : (
            !isTracked && <Badge look={['Stock not tracked', 'quiet']} />
          )
        }
        back={{ to: '/stock', name: 'Stock' }}
        actions={<PrintLabels source={{ variantIds: [variant.variantId] }} />}
      />
      <DetailColumns
        side={
          <>
            <Card title="Product">
              <Facts
                facts={[
                  ['SKU', sku || '—'],
                  ['Barcode', barcode || '—'],
                  ['Vendor', vendor || '—'],
                  ['Type', productType || '—'],
                  ['Tags', tags.join(', ') || '—'],
                  ['Price', price === null ? '—' : money(price)],
                ]}
              />
            </Card>
            <VariantCost id={id} variant={variant} />
          </>
        }
      >
        <VariantLevels variant={variant} />
        <VariantOrders onOrder={variant.onOrder} />
        <VariantSales velocity={variant.velocity} />
        {isTracked && <VariantForecastCard id={id} isDeleted={isDeleted} />}
        <VariantRules variant={variant} />
        <VariantPrices id={id} />
        <VariantSuppliers suppliers={variant.suppliers} variantId={variant.variantId} />
        {!isDeleted && <VariantCosts id={id} />}
        <VariantHistory variantId={variant.variantId} />
      </DetailColumns>
    </PageBody>
  )
}
