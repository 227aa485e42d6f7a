import { Combobox, Loader, Text, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { requestPage } from '../../api/request.ts'
import { MissedCodes } from '../scan/missed-codes.tsx'
import { type CodeAnswer, useCodeQueue } from '../scan/use-code-queue.ts'
import { findOne, variantsOf } from './find-variants.ts'
import type { PickedVariant } from './picked-variant.ts'
import classes from './variant-picker.module.css'

type Props = {
  label: string
  /** `pieces` is 1, except after a scan of a pack. */
  onPick: (variant: PickedVariant, pieces: number) => void
  placeholder?: string
  /** The supplier of the order, whose last price is the cost of a new line. */
  supplierId?: number | null
  /** Neither reads nor shows quantities. */
  hideStock?: boolean | undefined
  /** The barcode of a pack names its product, too; its stock is not known then. */
  packs?: boolean
  /** Of the form, such as a product that is missing. */
  error?: string | undefined
}

/**
 * Finds a product by a part of its title, SKU or barcode. A barcode scanner types the code and presses Enter before the
 * results arrive: then the field is free for the next scan at once, and the codes are looked up one after another.
 */
export function VariantPicker({
  label,
  onPick,
  placeholder = 'Search by title, SKU or barcode',
  supplierId,
  hideStock,
  packs = false,
  error: fault,
}: Props) {
  const ofSupplier = supplierId ?? undefined
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
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
    onPick(variant, 1)
    setTyped('')
    combobox.closeDropdown()
  }

  const lookUp = async (text: string, { isLast }: { isLast: () => boolean }): Promise<CodeAnswer> => {
    const found = await findOne(text, { supplierId: ofSupplier, hideStock }, { packs })
    if (typeof found === 'object') {
      onPick(found.variant, found.pieces)
      return { tone: 'right' }
    }
    if (found === 'none') return { tone: 'wrong', reason: 'no product has this code.' }
    if (found === 'several packs')
      return { tone: 'wrong', reason: 'packs of several products have this code. Search for the product.' }
    // the user chooses from the list, unless the next text is there already
    if (field.current?.value !== '' || !isLast()) return { tone: 'wrong', reason: 'several products match.' }
    setReturned(text)
    return {}
  }
  const codes = useCodeQueue(lookUp)
  const [returned, setReturned] = useState<string | null>(null)
  useEffect(() => {
    if (returned === null) return
    setReturned(null)
    setTyped(returned)
    combobox.openDropdown()
    // the next scan replaces the text
    requestAnimationFrame(() => document.activeElement === field.current && field.current?.select())
  }, [returned, combobox.openDropdown])
  const enter = (text: string) => {
    codes.add(text)
    setTyped('')
    combobox.closeDropdown()
  }

  const isCurrent = data !== undefined && !isPlaceholderData && search === typed.trim()
  // biome-ignore lint/correctness/useExhaustiveDependencies: new results select their first option
  useEffect(() => {
    if (isCurrent) combobox.selectFirstOption()
  }, [isCurrent, data])

  return (
    <>
      <Combobox
        store={combobox}
        onOptionSubmit={(id) => pick(results.find(({ variantId }) => variantId === id))}
      >
        <Combobox.Target>
          <TextInput
            ref={field}
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
              const text = event.currentTarget.value.trim()
              if (event.key !== 'Enter' || event.nativeEvent.isComposing || text === '') return
              if (isCurrent && results.length > 0) return
              event.preventDefault()
              enter(text)
            }}
            onFocus={() => typed && combobox.openDropdown()}
            onBlur={() => combobox.closeDropdown()}
            rightSection={
              (isFetching && search !== '') || codes.waiting.length > 0 ? <Loader size="xs" /> : undefined
            }
            error={error ? messageOf(error) : fault}
            autoComplete="off"
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={typed.trim() === ''}>
          <Combobox.Options mah={320} style={{ overflowY: 'auto' }} aria-label="Search results">
            {results.map((variant) => (
              <VariantOption key={variant.variantId} {...{ variant, hideStock }} />
            ))}
            {results.length === 0 && (
              <Combobox.Empty>
                {isFetching || search !== typed.trim() ? 'Searching …' : `No results for “${search}”`}
              </Combobox.Empty>
            )}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <MissedCodes
        queue={codes}
        onRemoved={() => field.current?.focus()}
        onSearch={(code) => {
          field.current?.focus()
          setReturned(code)
        }}
      />
    </>
  )
}

type OptionProps = { variant: PickedVariant; hideStock: boolean | undefined }

const VariantOption = ({ variant, hideStock }: OptionProps) => (
  <Combobox.Option value={variant.variantId} className={classes.option}>
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
)
