import { CloseButton, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { listQuery } from '../../../api/queries.ts'
import { VariantPicker } from '../../../components/pickers/variant-picker.tsx'

type Props = { variantId: string | undefined; onChange: (variantId: string | undefined) => void }

/** Filters by one product. The URL holds only its id, so the title comes from its newest stock movement. */
export function VariantFilter({ variantId, onChange }: Props) {
  const field = useRef<HTMLDivElement>(null)
  const wasChanged = useRef(false)
  const { data, isPending } = useInfiniteQuery({
    ...listQuery('GET /stock-movements', { query: { variantId, limit: 1 } }),
    enabled: variantId !== undefined,
  })
  const [newest] = data?.pages[0]?.records ?? []
  const change = (id: string | undefined) => {
    wasChanged.current = true
    onChange(id)
  }
  // one input replaces the other and must take over the focus
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the inputs swap
  useEffect(() => {
    if (wasChanged.current) field.current?.querySelector('input')?.focus()
  }, [variantId])
  return (
    <div ref={field}>
      {variantId === undefined ? (
        <VariantPicker
          label="Product"
          placeholder="All products"
          onPick={(variant) => change(variant.variantId)}
        />
      ) : (
        <TextInput
          label="Product"
          readOnly
          value={isPending ? 'Loading …' : (newest?.title ?? 'Product without stock changes')}
          rightSection={<CloseButton aria-label="All products" onClick={() => change(undefined)} />}
        />
      )}
    </div>
  )
}
