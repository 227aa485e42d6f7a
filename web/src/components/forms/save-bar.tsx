import { Button } from '@mantine/core'
import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Confirm } from '../feedback/confirm.tsx'
import { type Faults, focusNextFault, useFaults } from './faults.ts'
import { Lookups } from './lookups.ts'
import classes from './save-bar.module.css'
import { useSaveKey } from './save-key.ts'
import { UnsavedGuard } from './unsaved-guard.tsx'

type SavedForm = {
  isDirty: boolean
  isBusy: boolean
  /** Something else must be decided first, such as a conflict with another user. */
  isBlocked?: boolean
  /** The label of the button. For several changed forms it is "Save". */
  save?: string
  /** A second way to save, such as "Save as draft". */
  other?: string
  onOther?: () => void
  /** There is nothing to save the second way yet. */
  isOtherBlocked?: boolean
  /** A record that is not stored yet: the bar is there before the first change. */
  isNew?: boolean
  /** Replaces "Unsaved changes", and "Not saved yet" of a form without changes. */
  state?: string
  /** The device keeps the form, so the merchant may leave without a question. */
  isKept?: boolean
  onSave: () => void
  onDiscard: () => void
}

type Register = (key: string, form: SavedForm | null) => void
const Registered = createContext<Register>(() => {})

/**
 * Puts a form into the save bar of its page: Save, Discard, Ctrl-S, the number of fields with an error, and the question
 * before the merchant leaves. A page with several forms has one bar, which saves those that changed.
 */
export function SaveBar(form: SavedForm): null {
  const key = useId()
  const register = useContext(Registered)
  // after each render, so that the bar calls the functions of the newest draft
  useEffect(() => register(key, form))
  useEffect(() => () => register(key, null), [register, key])
  return null
}

/** The page's content, with the bar of its forms at the end. */
export function SaveBarProvider({ children, className }: { children: ReactNode; className?: string }) {
  const page = useRef<HTMLDivElement>(null)
  const newest = useRef(new Map<string, SavedForm>())
  const [shown, setShown] = useState<readonly SavedForm[]>([])
  const waiting = useRef(new Map<string, string>())
  /** What is being looked up, such as "2 codes"; empty: nothing. */
  const [lookups, setLookups] = useState('')
  const register = useMemo<Register>(
    () => (key, form) => {
      const before = newest.current.get(key)
      if (form) newest.current.set(key, form)
      else newest.current.delete(key)
      if (looksOf(before) !== looksOf(form ?? undefined)) setShown([...newest.current.values()])
    },
    [],
  )
  const reportLookup = useMemo(
    () => (field: string, what: string | null) => {
      if (what) waiting.current.set(field, what)
      else waiting.current.delete(field)
      setLookups([...waiting.current.values()].join(' and '))
    },
    [],
  )
  const changed = () => [...newest.current.values()].filter(({ isDirty, isNew }) => isDirty || isNew)
  const save = () => {
    const forms = changed()
    if (waiting.current.size > 0 || forms.some(({ isBusy, isBlocked }) => isBusy || isBlocked)) return
    for (const form of forms) form.onSave()
  }
  const other = () => {
    if (waiting.current.size > 0) return
    for (const form of changed()) if (!form.isOtherBlocked) form.onOther?.()
  }
  const discard = () => {
    for (const form of changed()) form.onDiscard()
  }
  useSaveKey(save)
  const inBar = shown.filter(({ isDirty, isNew }) => isDirty || isNew)
  const isUnsaved = shown.some(({ isDirty, isKept }) => isDirty && !isKept)
  return (
    <Registered value={register}>
      <Lookups value={reportLookup}>
        <div ref={page} className={className}>
          {children}
          {inBar.length > 0 && (
            <Bar
              forms={inBar}
              lookups={lookups}
              page={page}
              onSave={save}
              onOther={other}
              onDiscard={discard}
            />
          )}
        </div>
      </Lookups>
      <UnsavedGuard when={isUnsaved || lookups !== ''}>
        {lookups && lostLookups(lookups, isUnsaved)}
      </UnsavedGuard>
    </Registered>
  )
}

/** What the bar shows of a form: it renders again only when that changes. */
const looksOf = (form: SavedForm | undefined) =>
  form &&
  JSON.stringify([
    form.isDirty,
    form.isBusy,
    form.isBlocked,
    form.save,
    form.other,
    form.isOtherBlocked,
    form.isNew,
    form.state,
    form.isKept,
  ])

type BarProps = {
  forms: readonly SavedForm[]
  lookups: string
  page: RefObject<HTMLDivElement | null>
  onSave: () => void
  onOther: () => void
  onDiscard: () => void
}

function Bar({ forms, lookups, page, onSave, onOther, onDiscard }: BarProps) {
  const faults = useFaults(page)
  const [isDiscarding, setDiscarding] = useState(false)
  // the button takes the focus from the field, so the bar keeps the field it led to last
  const shownFault = useRef<HTMLElement | null>(null)
  const isDirty = forms.some((form) => form.isDirty)
  const isBusy = forms.some((form) => form.isBusy)
  const isBlocked = lookups !== '' || forms.some((form) => form.isBlocked)
  // toasts and scrolling to a focused field leave room for the bar
  useEffect(() => {
    document.documentElement.dataset.saveBar = ''
    return () => {
      delete document.documentElement.dataset.saveBar
    }
  }, [])
  return (
    <section className={classes.bar} aria-label="Unsaved changes">
      <p className={classes.state} role="status" data-tone={faults.count > 0 ? 'fault' : undefined}>
        {lookups ? `Looking up ${lookups} …` : faults.count > 0 ? faultText(faults) : stateOf(forms, isDirty)}
      </p>
      {faults.count > 0 && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => {
            shownFault.current = focusNextFault(page.current, shownFault.current)
          }}
        >
          {faults.count === 1 ? 'Show it' : 'Show next'}
        </Button>
      )}
      <div className={classes.buttons}>
        <Button variant="default" disabled={!isDirty || isBusy} onClick={() => setDiscarding(true)}>
          Discard
        </Button>
        {forms.length === 1 && forms[0]?.other && (
          <Button
            variant="default"
            disabled={isBusy || lookups !== '' || forms[0].isOtherBlocked}
            onClick={onOther}
          >
            {forms[0].other}
          </Button>
        )}
        <Button loading={isBusy} disabled={isBlocked} onClick={onSave}>
          {forms.length === 1 ? (forms[0]?.save ?? 'Save') : 'Save'}
        </Button>
      </div>
      <Confirm
        isOpen={isDiscarding}
        title="Discard your changes?"
        confirm="Discard changes"
        dismiss="Keep editing"
        isDestructive
        onConfirm={() => {
          setDiscarding(false)
          onDiscard()
        }}
        onCancel={() => setDiscarding(false)}
      >
        Your changes will be lost.
      </Confirm>
    </section>
  )
}

const stateOf = (forms: readonly SavedForm[], isDirty: boolean) =>
  (forms.length === 1 && forms[0]?.state) || (isDirty ? 'Unsaved changes' : 'Not saved yet')

const lostLookups = (lookups: string, isUnsaved: boolean) =>
  `The lookup of ${lookups} is not answered yet, and will be lost.${
    isUnsaved ? ' Your other changes will be lost, too.' : ''
  }`

/** Fields with the same error are counted with its message: "3 fields: Enter a unit cost." */
const faultText = ({ count, message }: Faults) =>
  count === 1 ? '1 field needs fixing' : `${count} fields${message ? `: ${message}` : ' need fixing'}`
