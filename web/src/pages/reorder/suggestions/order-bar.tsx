import { Button, Checkbox, Text } from '@mantine/core'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import classes from './suggestion-list.module.css'

/** The API's limit of rules in one request. */
const maxRules = 1000

type Props = {
  selected: number
  selectable: number
  suppliers: number
  /** Whether there are more suggestions to load. */
  hasMore: boolean
  /** Whether suggestions that are not loaded are selected, too. */
  isEverything: boolean
  isBusy: boolean
  error: unknown
  onSelectAll: (isSelected: boolean) => void
  onEverything: () => void
  onOrder: () => void
}

/** The number of selected suggestions, and the button that creates their draft orders. */
export function OrderBar(props: Props) {
  const { selected, selectable, suppliers, hasMore, isEverything, isBusy, error } = props
  const format = useFormat()
  const isAll = selected === selectable
  const isTooMany = !isEverything && selected > maxRules
  return (
    <>
      {Boolean(error) && <ErrorNotice error={error} />}
      <section className={classes.bar} aria-label="Selected suggestions">
        <Checkbox
          label="All"
          checked={isEverything || isAll}
          indeterminate={!isEverything && selected > 0 && !isAll}
          onChange={(event) => props.onSelectAll(event.currentTarget.checked)}
        />
        <Text size="sm" role="status" className={classes.text}>
          {isEverything ? 'All suggestions selected' : `${format.count(selected)} selected`}
          {!isEverything && selected > 0 && (
            <Text span inherit visibleFrom="sm">
              , from {suppliers === 1 ? '1 supplier' : `${format.count(suppliers)} suppliers`}
            </Text>
          )}
          {isTooMany && `: select at most ${format.count(maxRules)}`}
        </Text>
        {hasMore && isAll && !isEverything && (
          <Button size="xs" variant="default" onClick={props.onEverything}>
            Select all suggestions
          </Button>
        )}
        <Button
          onClick={props.onOrder}
          loading={isBusy}
          disabled={(selected === 0 && !isEverything) || isTooMany}
        >
          Create draft orders
        </Button>
      </section>
    </>
  )
}
