import { Button, Loader, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { IconBarcode, IconCheck, IconCloudOff } from '@tabler/icons-react'
import { type RefObject, useEffect } from 'react'
import { useFormat } from '../../../components/shop/format.ts'
import type { CountDraft } from '../offline/draft.ts'
import { type CountDraftState, isSynced, numberOf, rowsOf } from '../offline/state.ts'
import classes from './scan-bar.module.css'
import { scrollToUnresolved } from './unresolved-scans.tsx'

type Props = { draft: CountDraft; state: CountDraftState; field: RefObject<HTMLInputElement | null> }

/** The field that takes scans, with the last scan, the progress and the save status. It stays visible on scroll. */
export function ScanBar({ draft, state, field }: Props) {
  const { count } = useFormat()
  useScannerFocus(field)
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
          draft.scan(event.currentTarget.value)
          event.currentTarget.value = ''
        }}
      />
      <div className={classes.line}>
        <LastScan draft={draft} state={state} />
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

function LastScan({ draft, state }: Omit<Props, 'field'>) {
  const { count } = useFormat()
  const { last, scans } = state
  const unresolved = scans.find(({ code }) => code === state.unresolvedCode)
  const pending = scans.find(({ fault }) => fault === null)
  const counted = last && numberOf(state, last.product.variantId)
  const announcement =
    last && `${last.product.title}: ${counted === null ? 'not counted yet' : count(counted)}`
  return (
    <div className={classes.last}>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      {pending ? (
        <Text c="dimmed">Looking up {pending.code} …</Text>
      ) : unresolved ? (
        <>
          <Text className={classes.unresolved}>
            {unresolved.found[0]?.title ?? unresolved.code} is not counted
          </Text>
          <Button className={classes.action} size="compact-sm" variant="default" onClick={scrollToUnresolved}>
            Resolve
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
            <Button className={classes.action} size="compact-sm" variant="default" onClick={draft.undoScan}>
              Undo scan
            </Button>
          )}
        </>
      ) : (
        <Text c="dimmed">Each scan adds one piece.</Text>
      )}
    </div>
  )
}

function SaveState({ state }: { state: CountDraftState }) {
  if (state.syncFailure !== 'none') {
    return (
      <Text size="sm" className={classes.failure} role="alert">
        <IconCloudOff size={16} aria-hidden />
        {state.syncFailure === 'retrying' ? 'Not saved, retrying' : 'Not saved'}
      </Text>
    )
  }
  const isSaved = isSynced(state)
  return (
    <Text size="sm" c="dimmed" className={classes.saved}>
      {isSaved ? <IconCheck size={16} aria-hidden /> : <Loader size={14} color="gray.6" aria-hidden />}
      {isSaved ? 'Saved' : 'Saving …'}
    </Text>
  )
}

const takesKeyboardInput =
  'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"]'

/** A scanner types into the focused element, so a key pressed outside of any field or dialog focuses this field. */
function useScannerFocus(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    field.current?.focus({ preventScroll: true })
    const redirect = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      if (ctrlKey || metaKey || altKey || key.length !== 1 || key === ' ') return
      if (target instanceof Element && target.closest(takesKeyboardInput)) return
      field.current?.focus({ preventScroll: true })
    }
    document.addEventListener('keydown', redirect)
    return () => document.removeEventListener('keydown', redirect)
  }, [field])
}
