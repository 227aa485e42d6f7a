import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { readQuery } from '../../api/queries.ts'
import type { ProductFilter } from './product-filter.ts'

type Props = {
  value: ProductFilter
  onChange: (change: Record<keyof ProductFilter, string | undefined>) => void
}

const fields = [
  { name: 'vendor', values: 'vendors', label: 'Vendor', placeholder: 'All vendors' },
  { name: 'productType', values: 'productTypes', label: 'Product type', placeholder: 'All types' },
  { name: 'tag', values: 'tags', label: 'Tag', placeholder: 'All tags' },
] as const

/**
 * Filters a list by vendor, product type and tag; a filter that no product can match is not shown. Until that is known all
 * have their place, since the list below would move when they appear.
 */
export function ProductFacets({ value, onChange }: Props) {
  const { data } = useQuery({ ...readQuery('GET /products/facets', {}), staleTime: 60_000 })
  return fields.map(({ name, values, label, placeholder }) => {
    const chosen = value[name]
    const known = data?.[values] ?? []
    // the address may name a value that no product has any more
    const options = chosen === undefined || known.includes(chosen) ? known : [chosen, ...known]
    if (options.length === 0 && data) return null
    return (
      <Select
        key={name}
        label={label}
        placeholder={placeholder}
        data={[...options]}
        value={chosen ?? null}
        onChange={(next) =>
          onChange({
            vendor: value.vendor,
            productType: value.productType,
            tag: value.tag,
            [name]: next ?? undefined,
          })
        }
        disabled={!data}
        searchable
        clearable
        limit={100}
        nothingFoundMessage="No results"
        checkIconPosition="right"
      />
    )
  })
}
