import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { Confirm } from '../feedback/confirm.tsx'
import { ErrorNotice } from '../feedback/error-notice.tsx'
import { Notice } from '../feedback/notice.tsx'
import { useFormat } from '../shop/format.ts'

type Props = {
  error: unknown
  fields: object
  /** The list in which saved records are. */
  list: string
}

/** Says why a kept draft was not saved. A reused key means that an earlier save worked, although its response was lost. */
export function UnsavedNotice({ error, fields, list }: Props) {
  if (!(error instanceof ApiError) || !error.isSavedBefore)
    return <ErrorNotice error={error} fields={fields} />
  return (
    <Notice tone="waiting" title="Saved before">
      <Text c="#1c2024">
        An earlier save succeeded, but this device did not get the answer. You have changed this form since.
        Correct the saved record in {list}, then discard this form.
      </Text>
    </Notice>
  )
}

type OldSaveProps = {
  /** When the save began. */
  at: string
  list: string
  onDiscard: () => void
  onSaveAsNew: () => void
}

/** A save without an answer is too old to be repeated: the server would store a second record. */
export function OldSaveNotice({ at, list, onDiscard, onSaveAsNew }: OldSaveProps) {
  const { dateTime } = useFormat()
  const [isDiscarding, setDiscarding] = useState(false)
  return (
    <Notice tone="waiting" title="Saved before?">
      <Text c="#1c2024">
        This form may have been saved on {dateTime(at)}. Look in {list} first.
      </Text>
      <Group gap="xs" mt="sm">
        <Button size="xs" variant="default" onClick={() => setDiscarding(true)}>
          Discard
        </Button>
        <Button size="xs" variant="default" onClick={onSaveAsNew}>
          Save as new
        </Button>
      </Group>
      <Confirm
        isOpen={isDiscarding}
        title="Discard this form?"
        confirm="Discard form"
        dismiss="Keep the form"
        isDestructive
        onConfirm={onDiscard}
        onCancel={() => setDiscarding(false)}
      >
        What you entered on this device will be lost.
      </Confirm>
    </Notice>
  )
}
