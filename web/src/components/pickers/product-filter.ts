import { readSearch } from '../tables/address.ts'

/** The filter by product facts, kept in the URL. */
export type ProductFilter = { vendor?: string; productType?: string; tag?: string }

const names = ['vendor', 'productType', 'tag'] as const

export const readProductFilter = (params: Record<string, unknown>): ProductFilter =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = params[name]
      // the router parses digits in the URL as a number
      const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
      return text ? [[name, text.slice(0, 255)]] : []
    }),
  )

/** The search for products and the filter by their facts. */
export type ProductSearch = { search?: string } & ProductFilter

export const readProductSearch = (params: Record<string, unknown>): ProductSearch => ({
  ...readSearch(params),
  ...readProductFilter(params),
})

/** The product facts of a page's search. */
export const productFilterOf = ({ vendor, productType, tag }: ProductFilter) => ({ vendor, productType, tag })

export const isProductFiltered = (filter: ProductFilter) => names.some((name) => filter[name] !== undefined)
