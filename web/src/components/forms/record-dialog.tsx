import { Fragment, type ReactNode, useState } from 'react'
import { DialogForm } from './dialog-form.tsx'
import { FormDialog } from './form-dialog.tsx'
import { VersionConflict } from './version-conflict.tsx'
import { isStale } from './versions.ts'

type DialogProps<Stored> = {
  title: string
  /** Replaces the title while the record is not stored yet. */
  addTitle?: string
  /** The record to edit, `new`, or null: the dialog is closed. */
  edited: Stored | 'new' | null
  onClose: () => void
  children: (form: RecordFormOf<Stored>) => ReactNode
}

export type RecordFormOf<Stored> = {
  /** Null: a new one. */
  record: Stored | null
  /** Begins again with what another user saved. */
  onTake: (theirs: Stored) => void
  onClose: () => void
}

/** A dialog that adds or edits a record. */
export function RecordDialog<Stored>(props: DialogProps<Stored>) {
  const { title, addTitle = title, edited, onClose, children } = props
  const [taken, setTaken] = useState<Stored | null>(null)
  const close = () => {
    setTaken(null)
    onClose()
  }
  return (
    <FormDialog opened={edited !== null} onClose={close} title={edited === 'new' ? addTitle : title}>
      {edited !== null && (
        <Fragment key={taken === null ? 'opened' : `taken ${JSON.stringify(taken)}`}>
          {children({
            record: taken ?? (edited === 'new' ? null : edited),
            onTake: setTaken,
            onClose: close,
          })}
        </Fragment>
      )}
    </FormDialog>
  )
}

type FormProps = {
  noun: string
  /** The record that has the version, where it is another one. */
  versioned?: string
  isBusy: boolean
  /** Of the last save; not shown when it is that of a field. */
  error: unknown
  hasFieldErrors: boolean
  /** What another user changed since the dialog was opened; null: nothing. */
  differences?: readonly string[] | null
  /** False when another user deleted the record. */
  isEditable?: boolean
  onKeep?: () => void
  onTake?: () => void
  onSave: () => void
  onClose: () => void
  children: ReactNode
}

/** The form in a dialog of a record. Enter in a field saves, and so does Ctrl-S. */
export const RecordForm = (props: FormProps) => {
  const {
    noun,
    versioned = noun,
    isBusy,
    error,
    hasFieldErrors,
    differences = null,
    isEditable = true,
    children,
  } = props
  const { onKeep, onTake, onSave, onClose } = props
  return (
    <DialogForm
      save={`Save ${noun}`}
      isBusy={isBusy}
      // that of an overwrite, such as a lost connection, is beside the differences
      error={!(differences && isStale(error)) && !hasFieldErrors && error}
      head={
        differences &&
        onKeep &&
        onTake && (
          <VersionConflict
            noun={versioned}
            differences={differences}
            isEditable={isEditable}
            onKeep={onKeep}
            onDiscard={onTake}
          />
        )
      }
      onSave={onSave}
      onClose={onClose}
    >
      {children}
    </DialogForm>
  )
}
