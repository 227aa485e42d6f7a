import { Button, Checkbox, Text } from '@mantine/core'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import classes from './suggestion-list.module.css'

/** As many rules as one request names. */
const most = 1000

type Props = {
  ticked: number
  tickable: number
  suppliers: number
  /** Whether there are suggestions that are not loaded, and whether they are meant, too. */
  hasMore: boolean
  isEverything: boolean
  isBusy: boolean
  error: unknown
  onTickAll: (isTicked: boolean) => void
  onEverything: () => void
  onOrder: () => void
}

/** What is ticked so far, and the button that orders it. */
export function OrderBar(props: Props) {
  const { ticked, tickable, suppliers, hasMore, isEverything, isBusy, error } = props
  const format = useFormat()
  const isAll = ticked === tickable
  const isTooMany = !isEverything && ticked > most
  return (
    <>
      {Boolean(error) && <ErrorNotice error={error} />}
      <section className={classes.bar} aria-label="Order what is ticked">
        <Checkbox
          label="All"
          checked={isEverything || isAll}
          indeterminate={!isEverything && ticked > 0 && !isAll}
          onChange={(event) => props.onTickAll(event.currentTarget.checked)}
        />
        <Text size="sm" role="status" className={classes.words}>
          {isEverything ? 'Everything that is suggested' : `${format.count(ticked)} ticked`}
          {!isEverything && ticked > 0 && (
            <Text span inherit visibleFrom="sm">
              , from {suppliers === 1 ? '1 supplier' : `${format.count(suppliers)} suppliers`}
            </Text>
          )}
          {isTooMany && `: at most ${format.count(most)} at once`}
        </Text>
        {hasMore && isAll && !isEverything && (
          <Button size="xs" variant="default" onClick={props.onEverything}>
            Also those that are not shown
          </Button>
        )}
        <Button
          onClick={props.onOrder}
          loading={isBusy}
          disabled={(ticked === 0 && !isEverything) || isTooMany}
        >
          Create drafts
        </Button>
      </section>
    </>
  )
}
