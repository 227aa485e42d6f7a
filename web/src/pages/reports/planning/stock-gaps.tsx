import { Text } from '@mantine/core'
import { readProductSearch } from '../../../components/pickers/product-filter.ts'
import { ProductName } from '../../../components/tables/product-name.tsx'
import { report } from '../report.tsx'
import { CureText } from './cure-text.tsx'

/** What runs out before goods arrive. */
export const StockGapReport = report({
  path: '/reports/stock-gaps',
  title: 'Stock gaps',
  read: readProductSearch,
  isOfProducts: true,
  meaning: () => (
    <p>
      Products that run out before their next order or transfer arrives, or, when nothing is on its way,
      before you could order them at the next review. Orders count on the day on which their supplier usually
      delivers. The cheapest option has the lowest sum of lost revenue and purchase cost. New gaps are found
      every night; a product’s own page computes its gap at once.
    </p>
  ),
  columns: (format) => [
    {
      name: 'Product',
      cell: ({ title, sku, variantId, locationName }) => (
        <div>
          <ProductName title={title} sku={sku} variantId={variantId} />
          {locationName !== null && <Text size="xs">At {locationName}</Text>}
        </div>
      ),
    },
    { name: 'Available', cell: ({ available }) => format.count(available), isNumber: true },
    { name: 'Runs out', cell: ({ gapOn }) => format.calendarDay(gapOn), width: 120 },
    {
      name: 'Next arrival',
      cell: ({ nextArrivalOn }) => (nextArrivalOn === null ? 'None' : format.calendarDay(nextArrivalOn)),
      width: 130,
    },
    { name: 'Missing', cell: ({ missingUnits }) => format.count(missingUnits), isNumber: true },
    {
      name: 'Lost revenue',
      cell: ({ lostRevenue }) => (lostRevenue === null ? '—' : format.money(lostRevenue)),
      isNumber: true,
    },
    { name: 'Cheapest cure', cell: (gap) => <CureText gap={gap} variantId={gap.variantId} />, width: 300 },
  ],
  keyOf: ({ variantId, locationId }) => `${variantId} ${locationId}`,
  empty: () => ({
    title: 'No product runs out too early',
    text: 'Gaps are found every night, for products with a forecast. A forecast needs four weeks of sales.',
  }),
})
