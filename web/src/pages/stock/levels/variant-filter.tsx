import { CloseButton, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { listing } from '../../../api/queries.ts'
import { VariantPicker } from '../../../components/pickers/variant-picker.tsx'

type Props = { variantId: string | undefined; onChange: (variantId: string | undefined) => void }

/** One product, or all. The address knows its id only: what it is called stands in its own history. */
export function VariantFilter({ variantId, onChange }: Props) {
  const field = useRef<HTMLDivElement>(null)
  const isTouched = useRef(false)
  const { data, isPending } = useInfiniteQuery({
    ...listing('GET /stock-movements', { query: { variantId, limit: 1 } }),
    enabled: variantId !== undefined,
  })
  const [known] = data?.pages[0]?.records ?? []
  const change = (id: string | undefined) => {
    isTouched.current = true
    onChange(id)
  }
  // one field takes the place of the other, and the focus with it
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at when the one becomes the other
  useEffect(() => {
    if (isTouched.current) field.current?.querySelector('input')?.focus()
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
          value={isPending ? 'Loading …' : (known?.title ?? 'A product that has not moved')}
          rightSection={<CloseButton aria-label="All products" onClick={() => change(undefined)} />}
        />
      )}
    </div>
  )
}
