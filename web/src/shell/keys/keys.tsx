import { useNavigate } from '@tanstack/react-router'
import {
  type ComponentType,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import { noConnection } from '../../api/api-error.ts'
import { notifyRefused } from '../../components/feedback/notify.ts'
import { type Press, stepOf } from './press.ts'

export type KeyDialogProps = { onClose: () => void; onShowKeys: () => void }
type DialogName = 'palette' | 'key-list'

/** The code of the dialogs is loaded when one is opened first, so that it does not delay the first page. */
const load: Record<DialogName, () => Promise<ComponentType<KeyDialogProps>>> = {
  palette: async () => (await import('./palette.tsx')).Palette,
  'key-list': async () => (await import('./key-list.tsx')).KeyList,
}

const OpenPalette = createContext<() => void>(() => {})
/** Opens the palette from a button. */
export const useOpenPalette = () => useContext(OpenPalette)

const takesText = 'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"]'

/** Whether the key belongs to what has the focus. A scanner moves the focus to its field with the first key. */
const isTyping = () => document.activeElement?.closest(takesText) != null
const isDialogOpen = () => document.querySelector('[role="dialog"]') !== null

/** Listens for the keys of the admin (`press.ts`), and shows the palette and the list of keys. */
export function KeysProvider({ children }: { children: ReactNode }) {
  const navigate = useNavigate()
  const [shown, setShown] = useState<{ name: DialogName; Dialog: ComponentType<KeyDialogProps> } | null>(null)
  const earlier = useRef<Press | null>(null)
  const returnTo = useRef<Element | null>(null)
  const open = (name: DialogName) => {
    if (!isDialogOpen()) returnTo.current = document.activeElement
    void load[name]().then(
      (Dialog) => setShown({ name, Dialog }),
      () => notifyRefused(noConnection()),
    )
  }

  // the dialog is mounted open, and then Mantine does not know what had the focus before
  useEffect(() => {
    const { current: element } = returnTo
    if (shown || !(element instanceof HTMLElement)) return
    returnTo.current = null
    element.focus({ preventScroll: true })
  }, [shown])

  useEffect(() => {
    // on `window`, so that the scanner's listener on `document` has moved the focus
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      const isPalette = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k'
      if (isPalette && !event.shiftKey && !event.altKey) {
        // the browser's own Ctrl-K would leave the page
        event.preventDefault()
        if (!isDialogOpen()) open('palette')
        else setShown((now) => (now?.name === 'palette' ? null : now))
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping() || isDialogOpen()) {
        earlier.current = null
        return
      }
      const press = { key: event.key.toLowerCase(), at: event.timeStamp }
      const step = stepOf(press, earlier.current)
      earlier.current = step === 'wait' ? press : null
      if (step === 'wait' || step === null) return
      event.preventDefault()
      if (step === 'key-list') open('key-list')
      else void navigate({ to: step.to })
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  })

  return (
    <OpenPalette value={() => open('palette')}>
      {children}
      {shown && <shown.Dialog onClose={() => setShown(null)} onShowKeys={() => open('key-list')} />}
    </OpenPalette>
  )
}
