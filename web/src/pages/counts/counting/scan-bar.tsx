import { Button, Loader, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { IconBarcode, IconCheck, IconCloudOff } from '@tabler/icons-react'
import { type RefObject, useEffect } from 'react'
import { useFormat } from '../../../components/shop/format.ts'
import type { Tally } from '../offline/draft.ts'
import { isSettled, numberOf, rowsOf, type TallyState } from '../offline/state.ts'
import classes from './scan-bar.module.css'
import { showUnplaced } from './unplaced-scans.tsx'

type Props = { tally: Tally; state: TallyState; field: RefObject<HTMLInputElement | null> }

/** Where scans go. It stays in sight, with what was scanned last, how far the count is, and whether all is saved. */
export function ScanBar({ tally, state, field }: Props) {
  const { count } = useFormat()
  useTypingInto(field)
  const rows = rowsOf(state)
  const done = rows.filter(({ counted }) => counted !== null).length
  return (
    <section className={classes.bar} aria-label="Scanning">
      <TextInput
        ref={field}
        label="Scan or type a barcode or SKU"
        size="md"
        leftSection={<IconBarcode size={20} aria-hidden />}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="done"
        maxLength={200}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          // the field is empty before the next scan begins, however fast it comes
          tally.scan(event.currentTarget.value)
          event.currentTarget.value = ''
        }}
      />
      <div className={classes.line}>
        <LastScan tally={tally} state={state} />
        <div className={classes.progress}>
          <Text size="sm" className={classes.number}>
            {count(done)} of {count(rows.length)} counted
          </Text>
          <SaveState state={state} />
        </div>
      </div>
    </section>
  )
}

function LastScan({ tally, state }: Omit<Props, 'field'>) {
  const { count } = useFormat()
  const { last, scans } = state
  const unplaced = scans.find(({ code }) => code === state.unplaced)
  const sought = scans.find(({ fault }) => fault === null)
  const counted = last && numberOf(state, last.product.variantId)
  const words = last && `${last.product.title}: ${counted === null ? 'not counted yet' : count(counted)}`
  return (
    <div className={classes.last}>
      <VisuallyHidden role="status">{words}</VisuallyHidden>
      {sought ? (
        <Text c="dimmed">Looking for {sought.code} …</Text>
      ) : unplaced ? (
        <>
          <Text className={classes.unplaced}>{unplaced.found[0]?.title ?? unplaced.code} is not counted</Text>
          <Button className={classes.back} size="compact-sm" variant="default" onClick={showUnplaced}>
            What to do
          </Button>
        </>
      ) : last ? (
        <>
          <Text className={classes.title} aria-hidden>
            {last.product.title}
          </Text>
          <Text className={classes.counted} aria-hidden>
            {counted === null ? '—' : count(counted)}
          </Text>
          {last.how === 'scanned' && counted === last.counted && (
            <Button className={classes.back} size="compact-sm" variant="default" onClick={tally.takeBack}>
              Take back
            </Button>
          )}
        </>
      ) : (
        <Text c="dimmed">Each scan counts one piece.</Text>
      )}
    </div>
  )
}

function SaveState({ state }: { state: TallyState }) {
  if (state.trouble !== 'none') {
    return (
      <Text size="sm" className={classes.trouble} role="alert">
        <IconCloudOff size={16} aria-hidden />
        {state.trouble === 'retrying' ? 'Not saved, trying again' : 'Not saved'}
      </Text>
    )
  }
  const isSaved = isSettled(state)
  return (
    <Text size="sm" c="dimmed" className={classes.saved}>
      {isSaved ? <IconCheck size={16} aria-hidden /> : <Loader size={14} color="gray.6" aria-hidden />}
      {isSaved ? 'Saved' : 'Saving …'}
    </Text>
  )
}

const takesKeys =
  'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"]'

/** A scanner types wherever the focus is: unless that is a field of its own, what it types goes into this one. */
function useTypingInto(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    field.current?.focus({ preventScroll: true })
    const redirect = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      if (ctrlKey || metaKey || altKey || key.length !== 1 || key === ' ') return
      if (target instanceof Element && target.closest(takesKeys)) return
      field.current?.focus({ preventScroll: true })
    }
    document.addEventListener('keydown', redirect)
    return () => document.removeEventListener('keydown', redirect)
  }, [field])
}
