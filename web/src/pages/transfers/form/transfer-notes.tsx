import { Textarea } from '@mantine/core'
import type { Dispatch, SetStateAction } from 'react'
import type { FieldErrors } from '../../../components/forms/form-errors.ts'
import { Card } from '../../../components/layout/card.tsx'
import type { Draft } from './draft.ts'

type Props = { draft: Draft; onChange: Dispatch<SetStateAction<Draft>>; errors: FieldErrors }

export const TransferNotes = ({ draft, onChange, errors }: Props) => (
  <Card>
    <Textarea
      label="Notes"
      placeholder="Driver, number of boxes …"
      autosize
      minRows={2}
      value={draft.notes}
      onChange={(event) => {
        const notes = event.currentTarget.value
        onChange((now) => ({ ...now, notes }))
      }}
      error={errors.notes}
    />
  </Card>
)
