import { Combobox, Loader, Text, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ProductListItem } from '../../../../shared/schemas/products.ts'
import { messageOf } from '../../api/api-error.ts'
import { requestPage } from '../../api/request.ts'
import classes from './variant-picker.module.css'

export type PickedVariant = {
  productId: string
  variantId: string
  sku: string
  title: string
  barcode: string
  isTracked: boolean
  currentStock: number | null
  /** The cost of a new order line; null when none is known. */
  costPrice: number | null
}

type Props = {
  label: string
  onPick: (variant: PickedVariant) => void
  placeholder?: string
  /** The supplier of the order, whose last price is the cost of a new line. */
  supplierId?: number | null
  /** Neither reads nor shows quantities. */
  hideStock?: boolean | undefined
  /** Of the form, such as a product that is missing. */
  error?: string | undefined
}

/**
 * Finds a product by a part of its title, SKU or barcode. A barcode scanner types the code and presses Enter before the
 * results arrive: then the only result, or the only exact match, is picked when they do.
 */
export function VariantPicker({
  label,
  onPick,
  placeholder = 'Search by title, SKU or barcode',
  supplierId,
  hideStock,
  error: fault,
}: Props) {
  const ofSupplier = supplierId ?? undefined
  const [typed, setTyped] = useState('')
  /** The text for which Enter was pressed before its results arrived. */
  const [entered, setEntered] = useState<string | null>(null)
  const [search] = useDebouncedValue(typed.trim(), 250)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const { data, isFetching, isPlaceholderData, error } = useQuery({
    queryKey: ['products', 'search', search, ofSupplier, hideStock],
    queryFn: ({ signal }) =>
      requestPage('GET /products', {
        query: { search, limit: 20, supplierId: ofSupplier, hideStock },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    enabled: search !== '',
  })
  const results = search === '' || !data ? [] : variantsOf(data.records, search)

  const pick = (variant: PickedVariant | undefined) => {
    if (!variant) return
    onPick(variant)
    setTyped('')
    setEntered(null)
    combobox.closeDropdown()
  }

  const isCurrent = data !== undefined && !isPlaceholderData && search === typed.trim()
  // biome-ignore lint/correctness/useExhaustiveDependencies: new results select their first option
  useEffect(() => {
    if (isCurrent) combobox.selectFirstOption()
  }, [isCurrent, data])

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when results arrive
  useEffect(() => {
    if (entered === null || !isCurrent || entered !== search) return
    setEntered(null)
    const exact = results.filter(({ isExact }) => isExact)
    // with several results the user chooses from the list
    if (exact.length === 1 || results.length === 1) pick(exact[0] ?? results[0])
  }, [entered, isCurrent, search])

  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(id) => pick(results.find(({ variantId }) => variantId === id))}
    >
      <Combobox.Target>
        <TextInput
          label={label}
          placeholder={placeholder}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            // until the new results arrive, Enter must not pick an old one
            combobox.resetSelectedOption()
            combobox.openDropdown()
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && typed.trim() !== '' && !isCurrent) setEntered(typed.trim())
          }}
          onFocus={() => typed && combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          rightSection={isFetching && search !== '' ? <Loader size="xs" /> : undefined}
          error={error ? messageOf(error) : fault}
          autoComplete="off"
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={typed.trim() === ''}>
        <Combobox.Options mah={320} style={{ overflowY: 'auto' }} aria-label="Search results">
          {results.map((variant) => (
            <Combobox.Option key={variant.variantId} value={variant.variantId} className={classes.option}>
              <Text size="sm" fw={550}>
                {variant.title}
              </Text>
              <Text size="xs" className={classes.about}>
                {[
                  variant.sku,
                  variant.isTracked ? !hideStock && `${variant.currentStock} in stock` : 'stock not tracked',
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </Combobox.Option>
          ))}
          {results.length === 0 && (
            <Combobox.Empty>
              {isFetching || search !== typed.trim() ? 'Searching …' : `No results for “${search}”`}
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

/** The API returns whole products. Of their variants, those that contain the search text themselves come first. */
function variantsOf(products: readonly ProductListItem[], search: string) {
  const text = search.toLowerCase()
  const all = products.flatMap(({ productId, title, variants }) =>
    variants.map((variant) => ({
      productId,
      variantId: variant.variantId,
      sku: variant.sku,
      title: variant.title ? `${title} - ${variant.title}` : title,
      barcode: variant.barcode,
      isTracked: variant.isTracked,
      currentStock: variant.currentStock,
      costPrice: variant.costPrice,
      isExact: [variant.sku, variant.barcode].some((value) => value.toLowerCase() === text),
      isMatch: [variant.sku, variant.barcode, variant.title].some((value) =>
        value.toLowerCase().includes(text),
      ),
    })),
  )
  return [...all.filter(({ isMatch }) => isMatch), ...all.filter(({ isMatch }) => !isMatch)]
}
