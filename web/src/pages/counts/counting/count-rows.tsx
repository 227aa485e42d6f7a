import { Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type RefObject, useState } from 'react'
import { byBin } from '../../../components/bins/by-bin.ts'
import { notifyDone, notifyRefused } from '../../../components/feedback/notify.ts'
import { Card } from '../../../components/layout/card.tsx'
import type { ChosenVariant } from '../../../components/pickers/browse/chosen.ts'
import { ProductAdder } from '../../../components/pickers/product-adder.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { PagedTable } from '../../../components/tables/paged-table.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { SearchField } from '../../../components/tables/search-field.tsx'
import { StatusLink, StatusLinks } from '../../../components/tables/status-links.tsx'
import type { RowFilter } from '../list/filter.ts'
import type { CountDraft } from '../offline/draft.ts'
import { type CountDraftState, type Row, rowsOf, totalOf } from '../offline/state.ts'
import { Difference } from '../result/difference.tsx'
import { AddStocked } from './add-stocked.tsx'
import classes from './count-rows.module.css'
import { CountedField } from './counted-field.tsx'

const route = getRouteApi('/counts/$id')

type Props = {
  draft: CountDraft
  state: CountDraftState
  /** Hides expected quantities and differences. */
  isBlind: boolean
  scanField: RefObject<HTMLInputElement | null>
}

export function CountRows({ draft, state, isBlind, scanField }: Props) {
  const { count, many } = useFormat()
  const { show, search } = route.useSearch()
  const navigate = route.useNavigate()
  const { id } = route.useParams()
  const rows = byBin(rowsOf(state), ({ bin }) => bin)
  const isRecount = state.count.phase === 'recounting'
  const shown = useShown(rows, { show, search })
  const { last } = state
  const add = (chosen: readonly ChosenVariant[]) => {
    const notify = (added: number | null) => {
      if (added === 0) notifyDone('These products are already in the count.')
      else if (added !== null) notifyDone(`${many(added, 'product')} added`)
    }
    draft.addChosen(chosen).then(notify, notifyRefused)
  }
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
      <>
        <CountedField
          row={row}
          draft={draft}
          last={last?.product.variantId === row.variantId ? last : undefined}
          scanField={scanField}
        />
        {row.others !== null && (
          <Text size="sm" c="dimmed">
            + {count(row.others)} by others
          </Text>
        )}
      </>
    ),
  }
  const difference: Column<Row> = {
    name: 'Difference',
    isNumber: true,
    cell: (row) => <Difference value={differenceOf(row)} />,
  }
  return (
    <Card isFlush title="Products">
      <div className={classes.tools}>
        <ShownLinks id={id} show={show} />
        <div className={classes.search}>
          <SearchField
            label="Search this count"
            value={search}
            onSearch={(search, options) =>
              navigate({ search: (now) => ({ ...now, search }), resetScroll: false, ...options })
            }
          />
        </div>
        {!isRecount && (
          <>
            <div className={classes.adder}>
              <ProductAdder hasQuantity={false} hideStock={isBlind || undefined} onForm={rows} onAdd={add} />
            </div>
            <AddStocked draft={draft} />
          </>
        )}
      </div>
      {shown.length > 0 ? (
        <PagedTable
          label="Products"
          rows={shown}
          keyOf={({ variantId }) => variantId}
          columns={isBlind ? [product, counted] : [product, expected, counted, difference]}
          marked={last ? { key: last.product.variantId, turn: last.turn } : undefined}
        />
      ) : (
        <Text c="dimmed" p="md">
          {rows.length === 0
            ? 'No products yet. Scan one, or add all products at this location to see what is left to count.'
            : search
              ? `No products in this count match “${search}”.`
              : 'All products in this count are counted.'}
        </Text>
      )}
    </Card>
  )
}

type ShownProps = { id: number; show: RowFilter['show'] }

const ShownLinks = ({ id, show }: ShownProps) => (
  <StatusLinks label="Show">
    {([undefined, 'open'] as const).map((option) => (
      <StatusLink
        key={option ?? 'all'}
        to="/counts/$id"
        params={{ id }}
        search={(now) => ({ ...now, show: option })}
        resetScroll={false}
        isChosen={option === show}
      >
        {option ? 'Not counted yet' : 'All'}
      </StatusLink>
    ))}
  </StatusLinks>
)

function differenceOf(row: Row): number | null {
  const total = totalOf(row)
  return total === null || row.expected === null ? null : total - row.expected
}

/** The rows that match the filter. A row counted while "Not counted yet" is shown stays until the filter changes. */
function useShown(rows: readonly Row[], { show, search = '' }: RowFilter): readonly Row[] {
  const [filter, setFilter] = useState<{ show: RowFilter['show']; counted: ReadonlySet<string> }>()
  let alreadyCounted = filter?.counted
  if (filter === undefined || filter.show !== show || alreadyCounted === undefined) {
    alreadyCounted = new Set(rows.filter((row) => totalOf(row) !== null).map(({ variantId }) => variantId))
    setFilter({ show, counted: alreadyCounted })
  }
  const hidden = show === 'open' ? alreadyCounted : new Set<string>()
  const text = search.toLowerCase()
  return rows.filter(
    (row) =>
      (totalOf(row) === null || !hidden.has(row.variantId)) &&
      [row.title, row.sku, row.barcode].some((field) => field.toLowerCase().includes(text)),
  )
}
