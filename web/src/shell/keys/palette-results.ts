import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ProductListItem } from '../../../../shared/schemas/products.ts'
import type { SupplierListItem } from '../../../../shared/schemas/suppliers.ts'
import type { Page } from '../../api/request.ts'
import { requestPage } from '../../api/request.ts'
import { variantParams } from '../../components/tables/variant-link.tsx'
import { findDestinations } from './find-destinations.ts'

export type Result = { key: string; name: string; detail: string; keys?: readonly string[]; to: string }
export type ResultGroup = { title: string; results: readonly Result[] }

const pauseMs = 200
const maxPerKind = 6

/** What the typed text finds. `isCurrent`: all kinds have answered for this text, or failed. */
export function useResults(typed: string): { groups: ResultGroup[]; isCurrent: boolean; isFailed: boolean } {
  const text = typed.trim()
  const [search] = useDebouncedValue(text, pauseMs)
  const shared = {
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    enabled: search !== '',
    retry: false,
  }
  const query = { search, limit: maxPerKind }
  const orders = useQuery({
    ...shared,
    queryKey: ['palette', 'orders', search],
    queryFn: ({ signal }) => requestPage('GET /purchase-orders', { query, signal }),
  })
  const suppliers = useQuery({
    ...shared,
    queryKey: ['palette', 'suppliers', search],
    queryFn: ({ signal }) => requestPage('GET /suppliers', { query, signal }),
  })
  const products = useQuery({
    ...shared,
    queryKey: ['palette', 'products', search],
    queryFn: ({ signal }) => requestPage('GET /products', { query, signal }),
  })
  const all = [orders, suppliers, products]
  const isSettled = all.every(({ isFetching, isPlaceholderData }) => !isFetching && !isPlaceholderData)
  const found = findDestinations(text)
  const ofKind = (kind: 'Pages' | 'Actions') =>
    found
      .filter((it) => it.kind === kind)
      .map(({ to, name, keys }) => ({ key: to, to, name, detail: '', ...(keys && { keys }) }))
  const fromServer: ResultGroup[] =
    text === ''
      ? []
      : [
          { title: 'Purchase orders', results: rows(orders.data, orderResult) },
          { title: 'Suppliers', results: rows(suppliers.data, supplierResult) },
          {
            title: 'Products',
            results: (products.data?.records ?? [])
              .flatMap((it) => variantResults(it, text))
              .slice(0, maxPerKind),
          },
        ]
  return {
    groups: [
      { title: 'Actions', results: ofKind('Actions') },
      { title: 'Pages', results: ofKind('Pages') },
      ...fromServer,
    ].filter(({ results }) => results.length > 0),
    isCurrent: text === '' || (search === text && isSettled),
    isFailed: text !== '' && all.some(({ isError }) => isError),
  }
}

const rows = <T>(page: Page<T> | undefined, toResult: (record: T) => Result): Result[] =>
  (page?.records ?? []).map(toResult)

const orderResult = (order: { id: number; poNumber: string; supplierName: string }): Result => ({
  key: `order/${order.id}`,
  to: `/purchase-orders/${order.id}`,
  name: order.poNumber,
  detail: order.supplierName,
})

const supplierResult = ({ id, name, accountNumber, phone }: SupplierListItem): Result => ({
  key: `supplier/${id}`,
  to: `/suppliers/${id}`,
  name,
  detail: accountNumber || phone,
})

/** The API returns whole products. Of their variants, those that contain the text themselves, or all. */
function variantResults({ title, variants }: ProductListItem, text: string): Result[] {
  const lower = text.toLowerCase()
  const matching = variants.filter(({ sku, barcode, title: own }) =>
    [sku, barcode, own].some((value) => value.toLowerCase().includes(lower)),
  )
  return (matching.length > 0 ? matching : variants).map(({ variantId, title: own, sku, barcode }) => ({
    key: variantId,
    to: `/variants/${variantParams(variantId).id}`,
    name: own ? `${title} - ${own}` : title,
    detail: [sku, barcode].filter(Boolean).join(' · '),
  }))
}
