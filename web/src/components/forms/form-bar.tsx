import type { UseFormReturnType } from '@mantine/form'
import { SaveBar } from './save-bar.tsx'

type Props<T extends Record<string, unknown>> = {
  form: UseFormReturnType<T>
  isBusy: boolean
  isBlocked?: boolean
  save?: string
  /** A record that is not stored yet. */
  isNew?: boolean
  /** The new record is stored, and the page is about to be left. */
  isSaved?: boolean
  /** The handler of the form's submit event. */
  onSave: () => void
  onDiscard?: () => void
}

/**
 * Puts a form of Mantine into the save bar of its page; Enter in a field saves when the bar's button would. Belongs inside
 * the form element.
 */
export function FormBar<T extends Record<string, unknown>>(props: Props<T>) {
  const { form, isSaved, onSave, onDiscard, ...bar } = props
  const isDirty = form.isDirty() && !isSaved
  return (
    <>
      <input
        type="submit"
        hidden
        value="Save"
        tabIndex={-1}
        disabled={bar.isBusy || bar.isBlocked || (!isDirty && !bar.isNew)}
      />
      <SaveBar
        isDirty={isDirty}
        onSave={() => onSave()}
        onDiscard={() => {
          form.reset()
          onDiscard?.()
        }}
        {...bar}
      />
    </>
  )
}
