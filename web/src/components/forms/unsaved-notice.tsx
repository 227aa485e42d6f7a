import { Text } from '@mantine/core'
import { ApiError } from '../../api/api-error.ts'
import { ErrorNotice } from '../feedback/error-notice.tsx'
import { Notice } from '../feedback/notice.tsx'

type Props = {
  error: unknown
  fields: object
  /** The list in which saved records are. */
  list: string
}

/** Why a kept draft was not saved: when the answer to an earlier save was lost, that save has worked. */
export function UnsavedNotice({ error, fields, list }: Props) {
  if (!(error instanceof ApiError) || error.code !== 'idempotency_key_reused')
    return <ErrorNotice error={error} fields={fields} />
  return (
    <Notice tone="waiting" title="Saved before">
      <Text c="#1c2024">
        An earlier save has worked, but its answer was lost, and you have changed this form since. Find what
        was saved in {list}, correct it there, and discard this form.
      </Text>
    </Notice>
  )
}
