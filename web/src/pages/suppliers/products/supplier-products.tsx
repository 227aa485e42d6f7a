import { Button } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { Supplier } from '../../../../../shared/schemas/suppliers.ts'
import { listQuery, readQuery, useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { notifyDone, notifyRefused } from '../../../components/feedback/notify.ts'
import { fieldErrors } from '../../../components/forms/form-errors.ts'
import { FormLock } from '../../../components/forms/form-lock.tsx'
import { SaveBar } from '../../../components/forms/save-bar.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { ProductAdder } from '../../../components/pickers/product-adder.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { useSettings } from '../../../components/shop/settings.tsx'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { SearchField } from '../../../components/tables/search-field.tsx'
import { ArchivedSupplier } from '../archived-supplier.tsx'
import { SupplierSections } from '../supplier-sections.tsx'
import { changeCount, type Draft, type GridRow, rowsToSave } from './grid-columns.ts'
import { NoProducts } from './no-products.tsx'
import { PriceDialog } from './price-dialog.tsx'
import { ProductDialog } from './product-dialog.tsx'
import classes from './product-grid.module.css'
import { ProductGrid } from './product-grid.tsx'

const route = getRouteApi('/suppliers/$id/products')

/** What a supplier sells, in a grid that the merchant edits. */
export function SupplierProducts() {
  const { id } = route.useParams()
  const { search } = route.useSearch()
  const query = useQuery(readQuery('GET /suppliers/:id', { params: { id } }))
  return (
    <Loaded query={query}>
      {(supplier) =>
        supplier.archivedAt === null ? (
          <PageBody>
            <PageHeader
              title={supplier.name}
              back={{ to: '/suppliers', name: 'Suppliers' }}
              actions={
                <>
                  <CsvButton
                    path="/suppliers/:id/products"
                    params={{ id }}
                    query={{ search }}
                    name="supplier-products"
                  />
                  <LinkButton
                    to="/suppliers/price-list"
                    search={{ supplierId: id }}
                    variant="default"
                    leftSection={<IconUpload size={16} />}
                  >
                    Import a price list
                  </LinkButton>
                </>
              }
            />
            <SupplierSections id={id} />
            <Products key={supplier.id} supplier={supplier} />
          </PageBody>
        ) : (
          <ArchivedSupplier supplier={supplier} />
        )
      }
    </Loaded>
  )
}

function Products({ supplier }: { supplier: Supplier }) {
  const { id } = supplier
  const settings = useSettings()
  const currency = supplier.currency ?? settings.currency
  const params = { id }
  const { search } = route.useSearch()
  const navigate = route.useNavigate()
  const { many, decimalSeparator } = useFormat()
  const client = useQueryClient()
  const list = listQuery('GET /suppliers/:id/products', { params, query: { search } })
  const query = useInfiniteQuery(list)
  const [added, setAdded] = useState<GridRow[]>([])
  const [draft, setDraft] = useState<Draft>({})
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [opened, setOpened] = useState<{ id: number; dialog: 'details' | 'prices' } | null>(null)
  const [removed, setRemoved] = useState<GridRow | null>(null)

  const products = query.data?.pages.flatMap(({ records }) => records) ?? []
  const found = products.map((product) => ({
    key: String(product.id),
    product,
    variantId: product.variantId,
    sku: product.sku,
    title: product.title,
    currency,
  }))
  const seen = useRef(new Map<string, GridRow>())
  for (const row of found) seen.current.set(row.key, row)
  const isFound = new Set(found.map(({ key }) => key))
  // rows with unsaved cells stay in the grid when a search does not find them
  const unsaved = Object.keys(draft).flatMap((key) => (isFound.has(key) ? [] : (seen.current.get(key) ?? [])))
  const rows: GridRow[] = [...added, ...unsaved, ...found]
  const changes = changeCount(rows, draft)
  const discard = () => {
    setAdded([])
    setDraft({})
    setFaults({})
    save.reset()
  }
  const save = useChange('POST /suppliers/:id/products/bulk', {
    onDone: async () => {
      // until then the rows have the values and versions of before
      const { isError } = await query.refetch()
      if (isError) void client.resetQueries({ queryKey: list.queryKey })
      discard()
      notifyDone('Products saved')
    },
    onRefused: (error, { body }) => setFaults(faultsOf(error, rows, body.products)),
  })
  const forget = (key: string) => setDraft(({ [key]: _gone, ...rest }) => rest)
  const remove = useChange('DELETE /suppliers/:id/products/:supplierProductId', {
    onDone: ({ message }, { params: { supplierProductId } }) => {
      forget(String(supplierProductId))
      notifyDone(message)
    },
    onRefused: notifyRefused,
  })
  const onRemove = (row: GridRow) => {
    if (row.product) return setRemoved(row)
    setAdded((now) => now.filter(({ key }) => key !== row.key))
    forget(row.key)
  }
  const open = (dialog: 'details' | 'prices') => (row: GridRow) =>
    setOpened(row.product && { id: row.product.id, dialog })
  const openedProduct = opened && rows.find(({ product }) => product?.id === opened.id)?.product
  const close = () => setOpened(null)
  return (
    <>
      <FormLock isBusy={save.isPending}>
        <div className={classes.tools}>
          <SearchField
            label="Search products of this supplier"
            placeholder="SKU, title, supplier SKU or barcode"
            value={search}
            onSearch={(search, options) => navigate({ search: search ? { search } : {}, ...options })}
          />
          <ProductAdder
            hasQuantity={false}
            onForm={rows}
            onAdd={(chosen) =>
              setAdded((now) => [
                ...chosen.map(({ variantId, sku, title }, at) => ({
                  key: `new-${now.length + at}-${variantId}`,
                  ...{ product: null, variantId, sku, title, currency },
                })),
                ...now,
              ])
            }
          />
        </div>
        {query.error && <ErrorNotice error={query.error} onRetry={query.refetch} />}
        {save.error && <ErrorNotice error={save.error} />}
        {query.data && rows.length === 0 && <NoProducts isSearch={search !== undefined} id={id} />}
        {rows.length > 0 && (
          <Card isFlush>
            <div className={classes.scroll}>
              <ProductGrid
                rows={rows}
                draft={draft}
                onChange={(update) => {
                  setDraft(update)
                  setFaults({})
                  if (save.error) save.reset()
                }}
                faults={faults}
                onDetails={open('details')}
                onPrices={open('prices')}
                onRemove={onRemove}
              />
            </div>
            {query.hasNextPage && (
              <div className={classes.more}>
                <Button
                  variant="default"
                  loading={query.isFetchingNextPage}
                  onClick={() => query.fetchNextPage()}
                >
                  Load more
                </Button>
              </div>
            )}
          </Card>
        )}
      </FormLock>
      {openedProduct && opened.dialog === 'details' && (
        <ProductDialog product={openedProduct} onClose={close} />
      )}
      {openedProduct && opened.dialog === 'prices' && (
        <PriceDialog product={openedProduct} currency={currency} onClose={close} />
      )}
      <Confirm
        isOpen={removed !== null}
        title={`Remove ${removed?.title ?? ''}?`}
        confirm="Remove"
        isDestructive
        onConfirm={() => {
          if (removed?.product) remove.mutate({ params: { id, supplierProductId: removed.product.id } })
          setRemoved(null)
        }}
        onCancel={() => setRemoved(null)}
      >
        Its prices at this supplier are deleted, too. Orders keep their lines.
      </Confirm>
      <SaveBar
        isDirty={changes > 0}
        isBusy={save.isPending}
        state={`${many(changes, 'change')} not saved`}
        onSave={() =>
          save.mutate({
            params,
            body: { products: rowsToSave(rows, draft, decimalSeparator).map(({ body }) => body) },
          })
        }
        onDiscard={discard}
      />
    </>
  )
}

/** The faults by cell. The request lists the changed rows in the order of the grid. */
function faultsOf(
  error: unknown,
  rows: readonly GridRow[],
  sent: readonly { id?: number; variantId: string }[],
): Record<string, string> {
  const drafts = rows.filter(({ product }) => product === null)
  let place = 0
  const keys = sent.map(({ id }) => (id === undefined ? drafts[place++]?.key : String(id)))
  return Object.fromEntries(
    Object.entries(fieldErrors(error)).map(([path, message]) => {
      const [, at, field = 'row'] = path.split('.')
      const cell = ['version', 'id', 'variantId', 'prices', 'currency'].includes(field) ? 'row' : field
      return [`${keys[Number(at)]}/${cell}`, message]
    }),
  )
}
