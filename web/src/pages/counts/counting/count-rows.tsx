import { Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type RefObject, useState } from 'react'
import { Card } from '../../../components/layout/card.tsx'
import { VariantPicker } from '../../../components/pickers/variant-picker.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { PagedTable } from '../../../components/tables/paged-table.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { SearchField } from '../../../components/tables/search-field.tsx'
import { StatusLink, StatusLinks } from '../../../components/tables/status-links.tsx'
import type { RowFilter } from '../list/filter.ts'
import type { Tally } from '../offline/draft.ts'
import { type Row, rowsOf, type TallyState } from '../offline/state.ts'
import { Difference } from '../result/difference.tsx'
import { AddStocked } from './add-stocked.tsx'
import classes from './count-rows.module.css'
import { CountedField } from './counted-field.tsx'

const route = getRouteApi('/counts/$id')

type Props = {
  tally: Tally
  state: TallyState
  /** Whether nobody is to see how many there should be. */
  isHidden: boolean
  scanField: RefObject<HTMLInputElement | null>
}

/** The products of the count with their numbers. */
export function CountRows({ tally, state, isHidden, scanField }: Props) {
  const { count } = useFormat()
  const { show, search = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const { id } = route.useParams()
  const rows = rowsOf(state)
  const shown = useShown(rows, { show, search })
  const { last } = state
  const product: Column<Row> = { name: 'Product', cell: (row) => <ProductName {...row} /> }
  const expected: Column<Row> = {
    name: 'Expected',
    isNumber: true,
    cell: (row) => (row.expected === null ? '—' : count(row.expected)),
  }
  const counted: Column<Row> = {
    name: 'Counted',
    isNumber: true,
    cell: (row) => (
      <CountedField
        row={row}
        tally={tally}
        last={last?.product.variantId === row.variantId ? last : undefined}
        scanField={scanField}
      />
    ),
  }
  const difference: Column<Row> = {
    name: 'Difference',
    isNumber: true,
    cell: (row) => (
      <Difference value={row.counted === null || row.expected === null ? null : row.counted - row.expected} />
    ),
  }
  return (
    <Card isFlush title="Products">
      <div className={classes.tools}>
        <StatusLinks label="Which products">
          {([undefined, 'open'] as const).map((one) => (
            <StatusLink
              key={one ?? 'all'}
              to="/counts/$id"
              params={{ id }}
              search={(now) => ({ ...now, show: one })}
              resetScroll={false}
              isChosen={one === show}
            >
              {one ? 'Not counted yet' : 'All'}
            </StatusLink>
          ))}
        </StatusLinks>
        <div className={classes.search}>
          <SearchField
            label="Find in this count"
            value={search}
            onSearch={(words) =>
              navigate({ search: (now) => ({ ...now, search: words || undefined }), resetScroll: false })
            }
          />
        </div>
        <div className={classes.search}>
          <VariantPicker
            label="Add a product by hand"
            onPick={({ currentStock, productId: _, ...variant }) => {
              tally.add({ ...variant, barcode: '', isTracked: currentStock !== null })
            }}
          />
        </div>
        <AddStocked tally={tally} />
      </div>
      {shown.length > 0 ? (
        <PagedTable
          label="Products"
          rows={shown}
          keyOf={({ variantId }) => variantId}
          columns={isHidden ? [product, counted] : [product, expected, counted, difference]}
          marked={last ? { key: last.product.variantId, turn: last.turn } : undefined}
        />
      ) : (
        <Text c="dimmed" p="md">
          {rows.length === 0
            ? 'Nothing yet. Scan a product, or add all products of this location to see what is missing.'
            : search
              ? 'Nothing in this count has such a title, SKU or barcode.'
              : 'Everything in this count is counted.'}
        </Text>
      )}
    </Card>
  )
}

/** Rows that fit the filter. One that is counted while only the open ones are shown stays where it is until then. */
function useShown(rows: readonly Row[], { show, search = '' }: RowFilter): readonly Row[] {
  const [filter, setFilter] = useState<{ show: RowFilter['show']; done: ReadonlySet<string> }>()
  let done = filter?.done
  if (filter === undefined || filter.show !== show || done === undefined) {
    done = new Set(rows.filter(({ counted }) => counted !== null).map(({ variantId }) => variantId))
    setFilter({ show, done })
  }
  const hidden = show === 'open' ? done : new Set<string>()
  const words = search.toLowerCase()
  return rows.filter(
    ({ variantId, counted, title, sku, barcode }) =>
      (counted === null || !hidden.has(variantId)) &&
      [title, sku, barcode].some((text) => text.toLowerCase().includes(words)),
  )
}
