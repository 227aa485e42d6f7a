import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorNotice } from '../feedback/error-notice.tsx'
import { FormLock } from './form-lock.tsx'

type Props = {
  /** The words of the button. */
  save?: string
  isBusy: boolean
  /** There is nothing to save yet. */
  isDisabled?: boolean
  /** Why the last save failed; falsy when it did not, or when a field shows the error. */
  error: unknown
  /** What stands above the error. */
  head?: ReactNode
  onSave: () => void
  onClose: () => void
  children: ReactNode
}

/** The form in a dialog: its fields, which are locked during a save, above Cancel and Save. Enter in a field saves. */
export const DialogForm = (props: Props) => {
  const { save = 'Save', isBusy, isDisabled = false, error, head, onSave, onClose, children } = props
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) onSave()
      }}
    >
      <Stack>
        {head}
        {Boolean(error) && <ErrorNotice error={error} />}
        <FormLock isBusy={isBusy}>{children}</FormLock>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy} disabled={isDisabled}>
            {save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
