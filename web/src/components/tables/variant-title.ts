import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { readQuery } from '../../api/queries.ts'
import { variantParams } from './variant-link.tsx'

/** The title of a product variant: “…” until it is known, and undefined without an id. */
export function useVariantTitle(id: string | undefined): string | undefined {
  const { data, error } = useQuery({
    ...readQuery('GET /variants/:id', { params: variantParams(id ?? '') }),
    enabled: id !== undefined,
  })
  if (id === undefined) return undefined
  const isUnknown = data?.title === '' || (error instanceof ApiError && error.status === 404)
  return data?.title || (isUnknown ? 'Unknown product' : '…')
}
