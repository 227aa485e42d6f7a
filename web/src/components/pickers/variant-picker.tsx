import { Combobox, Loader, Text, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ProductListItem } from '../../../../shared/schemas/products.ts'
import { sentenceOf } from '../../api/api-error.ts'
import { requestPage } from '../../api/request.ts'

export type PickedVariant = {
  productId: string
  variantId: string
  sku: string
  title: string
  currentStock: number | null
}

type Props = { label: string; onPick: (variant: PickedVariant) => void; placeholder?: string }

/** Finds a product by a part of its title, SKU or barcode. A scanner types a barcode and presses Enter. */
export function VariantPicker({ label, onPick, placeholder = 'Search by title, SKU or barcode' }: Props) {
  const [words, setWords] = useState('')
  /** What somebody pressed Enter on before it was found, as scanners do. */
  const [entered, setEntered] = useState<string | null>(null)
  const [search] = useDebouncedValue(words.trim(), 250)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const { data, isFetching, isPlaceholderData, error } = useQuery({
    queryKey: ['products', 'search', search],
    queryFn: ({ signal }) => requestPage('GET /products', { query: { search, limit: 20 }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    enabled: search !== '',
  })
  const found = search === '' || !data ? [] : variantsOf(data.records, search)

  const pick = (variant: PickedVariant | undefined) => {
    if (!variant) return
    onPick(variant)
    setWords('')
    setEntered(null)
    combobox.closeDropdown()
  }

  const isFound = data !== undefined && !isPlaceholderData && search === words.trim()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first one is chosen whenever others are found
  useEffect(() => {
    if (isFound) combobox.selectFirstOption()
  }, [isFound, data])

  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at when something was found, and only then
  useEffect(() => {
    if (entered === null || !isFound || entered !== search) return
    setEntered(null)
    const exact = found.filter(({ isExact }) => isExact)
    // several products would be a guess: the person chooses from the list
    if (exact.length === 1 || found.length === 1) pick(exact[0] ?? found[0])
  }, [entered, isFound, search])

  return (
    <Combobox store={combobox} onOptionSubmit={(id) => pick(found.find(({ variantId }) => variantId === id))}>
      <Combobox.Target>
        <TextInput
          label={label}
          placeholder={placeholder}
          value={words}
          onChange={(event) => {
            setWords(event.currentTarget.value)
            // until these words are found, Enter must not take what others have found
            combobox.resetSelectedOption()
            combobox.openDropdown()
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && words.trim() !== '' && !isFound) setEntered(words.trim())
          }}
          onFocus={() => words && combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          rightSection={isFetching && search !== '' ? <Loader size="xs" /> : undefined}
          error={error ? sentenceOf(error) : undefined}
          autoComplete="off"
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={words.trim() === ''}>
        <Combobox.Options mah={320} style={{ overflowY: 'auto' }}>
          {found.map((variant) => (
            <Combobox.Option key={variant.variantId} value={variant.variantId}>
              <Text size="sm" fw={550}>
                {variant.title}
              </Text>
              <Text size="xs" c="dimmed">
                {[
                  variant.sku,
                  variant.currentStock === null ? 'not counted' : `${variant.currentStock} in stock`,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </Combobox.Option>
          ))}
          {found.length === 0 && (
            <Combobox.Empty>
              {isFetching || search !== words.trim()
                ? 'Searching …'
                : 'Nothing has such a title, SKU or barcode'}
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

/** The API finds whole products; of those, the variants that carry the words themselves come first. */
function variantsOf(products: readonly ProductListItem[], search: string) {
  const words = search.toLowerCase()
  const all = products.flatMap(({ productId, title, variants }) =>
    variants.map(({ barcode, ...variant }) => ({
      productId,
      variantId: variant.variantId,
      sku: variant.sku,
      title: variant.title ? `${title} — ${variant.title}` : title,
      currentStock: variant.currentStock,
      isExact: [variant.sku, barcode].some((text) => text.toLowerCase() === words),
      isMeant: [variant.sku, barcode, variant.title].some((text) => text.toLowerCase().includes(words)),
    })),
  )
  return [...all.filter(({ isMeant }) => isMeant), ...all.filter(({ isMeant }) => !isMeant)]
}
