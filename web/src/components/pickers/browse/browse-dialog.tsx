import { Button, Modal, Select, Text, TextInput } from '@mantine/core'
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { type Dispatch, type KeyboardEvent, type SetStateAction, useState } from 'react'
import type { VariantListItem } from '../../../../../shared/schemas/variants.ts'
import { listQuery } from '../../../api/queries.ts'
import { requestAll } from '../../../api/request.ts'
import { Confirm } from '../../feedback/confirm.tsx'
import { ErrorNotice } from '../../feedback/error-notice.tsx'
import { notifyRefused } from '../../feedback/notify.ts'
import { useFormat } from '../../shop/format.ts'
import { ProductFacets } from '../product-facets.tsx'
import type { ProductFilter } from '../product-filter.ts'
import classes from './browse.module.css'
import { BrowseRow } from './browse-row.tsx'
import { type ChosenVariant, chosenOf, suggestedOf } from './chosen.ts'

type Low = 'all' | 'supplier'
/** By variant, in the order in which they were ticked. */
type Chosen = ReadonlyMap<string, ChosenVariant>

export type BrowseProps = {
  supplierId?: number | null | undefined
  /** Whether the products get a quantity here. */
  hasQuantity: boolean
  /** Neither reads nor shows quantities. */
  hideStock?: boolean | undefined
  /** Whether a low product starts with the quantity that its reorder rules suggest, else with 1. */
  hasSuggested: boolean
  /** Whether the product has a line on the form already. */
  isOnForm: (variantId: string) => boolean
  onAdd: (chosen: ChosenVariant[]) => void
  onClose: () => void
}

/** The max lines of a document. */
const maxLines = 500
const fullPage = 250

/** Chooses several products at once. What is ticked stays ticked when the filter changes. */
export function BrowseDialog(props: BrowseProps) {
  const { many } = useFormat()
  const isNarrow = useMediaQuery('(max-width: 48em)')
  const [chosen, setChosen] = useState<Chosen>(new Map())
  const [isLeaving, setLeaving] = useState(false)
  const leave = () => (chosen.size === 0 ? props.onClose() : setLeaving(true))
  return (
    <Modal
      opened
      onClose={leave}
      title="Browse products"
      size="xl"
      fullScreen={isNarrow === true}
      closeOnClickOutside={false}
      closeOnEscape={chosen.size === 0}
      classNames={{ content: classes.content, body: classes.body }}
    >
      <Browse {...props} chosen={chosen} setChosen={setChosen} onCancel={leave} />
      <Confirm
        isOpen={isLeaving}
        title="Leave without adding?"
        confirm="Leave"
        dismiss="Keep choosing"
        isDestructive
        onConfirm={props.onClose}
        onCancel={() => setLeaving(false)}
      >
        {many(chosen.size, 'product')} selected and not added.
      </Confirm>
    </Modal>
  )
}

type ChoosingProps = BrowseProps & {
  chosen: Chosen
  setChosen: Dispatch<SetStateAction<Chosen>>
  onCancel: () => void
}

function Browse(props: ChoosingProps) {
  const {
    supplierId,
    hasQuantity,
    hideStock,
    hasSuggested,
    isOnForm,
    onAdd,
    onClose,
    onCancel,
    chosen,
    setChosen,
  } = props
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const [low, setLow] = useState<Low | null>(null)
  const [facets, setFacets] = useState<ProductFilter>({})
  const filter = {
    ...facets,
    search: search || undefined,
    low: low ?? undefined,
    supplierId: supplierId ?? undefined,
    hideStock,
  }
  const list = useInfiniteQuery({ ...listQuery('GET /variants', { query: filter }), staleTime: 30_000 })
  const variants = list.data?.pages.flatMap(({ records }) => records) ?? []
  const choose = (added: readonly VariantListItem[]) =>
    setChosen((now) => {
      const next = new Map(now)
      for (const variant of added)
        if (!next.has(variant.variantId))
          next.set(variant.variantId, chosenOf(variant, hasSuggested ? suggestedOf(variant) : 1))
      return next
    })
  const all = useMutation({
    mutationFn: () =>
      requestAll('GET /variants', { query: { ...filter, limit: fullPage } }, maxLines / fullPage),
  })
  // not called after a reset, such as by "Clear"
  const selectAll = () =>
    all.mutate(undefined, {
      onSuccess: ({ records }) => choose(records.filter(({ variantId }) => !isOnForm(variantId))),
      onError: notifyRefused,
    })
  const toggle = (variant: VariantListItem, isOn: boolean) => {
    // one more does not end "Select all"; the answer would tick again what is unticked
    if (!isOn || !all.isPending) all.reset()
    if (isOn) choose([variant])
    else setChosen((now) => new Map([...now].filter(([id]) => id !== variant.variantId)))
  }
  const clear = () => {
    all.reset()
    setChosen(new Map())
  }
  // a quantity that was emptied or is no number cannot be added; its row may be filtered out by now
  const unready = [...chosen.values()].find(({ quantity }) => !(quantity > 0))
  const first = all.data && !all.data.isComplete ? ` (the first ${all.data.records.length})` : ''
  const add = () => {
    onAdd([...chosen.values()])
    onClose()
  }
  return (
    <>
      <BrowseFilters {...{ hideStock, supplierId, typed, setTyped, low, setLow, facets, setFacets }} />
      {list.error && !list.data && <ErrorNotice error={list.error} onRetry={list.refetch} />}
      <section className={classes.scroll} aria-label="Products" aria-busy={list.isFetching}>
        {variants.length > 0 && (
          <ul
            className={classes.list}
            onKeyDown={moveInList}
            data-stale={list.isPlaceholderData || undefined}
          >
            {variants.map((variant) => (
              <BrowseRow
                key={variant.variantId}
                variant={variant}
                chosen={chosen.get(variant.variantId)}
                hasQuantity={hasQuantity}
                isOnForm={isOnForm(variant.variantId)}
                onToggle={(isOn) => toggle(variant, isOn)}
                onQuantity={(quantity) =>
                  setChosen((now) => new Map(now).set(variant.variantId, chosenOf(variant, quantity)))
                }
              />
            ))}
          </ul>
        )}
        {list.data && !list.isPlaceholderData && variants.length === 0 && (
          <Text c="dimmed" p="md">
            {low && !search ? 'No product is low. Reorder rules decide when one is.' : 'No products match.'}
          </Text>
        )}
        {(list.isPending || (list.isPlaceholderData && variants.length === 0)) && (
          <Text c="dimmed" p="md">
            Loading …
          </Text>
        )}
        {list.hasNextPage && (
          <Button
            variant="default"
            size="xs"
            m="sm"
            loading={list.isFetchingNextPage}
            onClick={() => list.fetchNextPage()}
          >
            Load more
          </Button>
        )}
      </section>
      <BrowseActions
        {...{ chosen, first, unready, add, clear, selectAll, onCancel }}
        isSelecting={all.isPending}
        isEmpty={variants.length === 0}
      />
    </>
  )
}

type FilterProps = Pick<BrowseProps, 'hideStock' | 'supplierId'> & {
  typed: string
  setTyped: (typed: string) => void
  low: Low | null
  setLow: (low: Low | null) => void
  facets: ProductFilter
  setFacets: (facets: ProductFilter) => void
}

const BrowseFilters = (props: FilterProps) => {
  const { hideStock, supplierId, typed, setTyped, low, setLow, facets, setFacets } = props
  return (
    <div className={classes.filters}>
      <TextInput
        label="Search"
        placeholder="Title, SKU or barcode"
        autoComplete="off"
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        data-autofocus
      />
      {!hideStock && (
        <Select
          label="Stock"
          placeholder="Any stock"
          data={[
            { value: 'all', label: 'Low stock' },
            ...(supplierId ? [{ value: 'supplier', label: 'Low, from this supplier' }] : []),
          ]}
          value={low}
          onChange={(value) => setLow(value as Low | null)}
          clearable
          checkIconPosition="right"
        />
      )}
      <ProductFacets value={facets} onChange={(change) => setFacets(withoutUnset(change))} />
    </div>
  )
}

type ActionProps = {
  chosen: Chosen
  /** Says that "Select all" took the first products only. */
  first: string
  /** Has no quantity that can be added. */
  unready: ChosenVariant | undefined
  isSelecting: boolean
  isEmpty: boolean
  add: () => void
  clear: () => void
  selectAll: () => void
  onCancel: () => void
}

function BrowseActions(props: ActionProps) {
  const { chosen, first, unready, isSelecting, isEmpty, add, clear, selectAll, onCancel } = props
  const { many } = useFormat()
  return (
    <div className={classes.actions}>
      <Text size="sm" role="status">
        {chosen.size === 0 ? 'Tick the products to add.' : `${many(chosen.size, 'product')} selected${first}`}
        {unready && `. Enter a quantity for ${unready.title}.`}
      </Text>
      <Button variant="default" size="xs" loading={isSelecting} disabled={isEmpty} onClick={selectAll}>
        Select all
      </Button>
      {chosen.size > 0 && (
        <Button variant="default" size="xs" onClick={clear}>
          Clear
        </Button>
      )}
      <div className={classes.done}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button disabled={chosen.size === 0 || unready !== undefined} onClick={add}>
          {chosen.size === 0 ? 'Add products' : `Add ${many(chosen.size, 'product')}`}
        </Button>
      </div>
    </div>
  )
}

const withoutUnset = (change: Record<string, string | undefined>): ProductFilter =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))

/** The arrow keys move between the checkboxes. */
function moveInList(event: KeyboardEvent<HTMLUListElement>): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const boxes = [...event.currentTarget.querySelectorAll<HTMLInputElement>('input[type="checkbox"]')]
  const at = boxes.indexOf(document.activeElement as HTMLInputElement)
  const next = boxes[at + by]
  if (by === 0 || at === -1 || !next) return
  event.preventDefault()
  next.focus()
}
