import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import type { VariantForecast } from '../../../../shared/schemas/forecasts.ts'
import { readQuery, useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { FormLock } from '../../components/forms/form-lock.tsx'
import { useInlineEdit } from '../../components/forms/inline-edit.ts'
import { NumberField } from '../../components/forms/number-field.tsx'
import { useTheirs } from '../../components/forms/their-changes.ts'
import { VersionConflict } from '../../components/forms/version-conflict.tsx'
import { isStale } from '../../components/forms/versions.ts'
import { useFormat } from '../../components/shop/format.ts'

type Props = { id: string; forecast: VariantForecast }

/** Replaces the computed forecast by a number of the merchant, or takes the computed one again. */
export function ForecastEntryForm({ id, forecast: { unitsPerWeek, version } }: Props) {
  const { isEditing, open, close, autoFocus } = useInlineEdit()
  // the version whose number is in the field
  const [edited, setEdited] = useState(version)
  const [typed, setTyped] = useState<number | string>('')
  const { count } = useFormat()
  const query = readQuery('GET /variants/:id/forecast', { params: { id } })
  const { theirs, unread, clearTheirs, readTheirs } = useTheirs(query)
  const save = useChange('PUT /variants/:id/forecast', {
    onDone: () => {
      clearTheirs()
      close()
      notifyDone('Forecast saved')
    },
    onRefused: readTheirs,
  })
  const store = (next: number | null, read: number) =>
    save.mutate({ params: { id }, body: { unitsPerWeek: next, version: read } })
  const cancel = () => {
    clearTheirs()
    save.reset()
    close()
  }
  const refused = (
    <>
      {theirs && (
        <VersionConflict
          noun="forecast"
          refused="It is not saved."
          isEditable={!isEditing || typed !== ''}
          differences={[
            theirs.unitsPerWeek === null
              ? 'The computed forecast is used.'
              : `Pieces sold in a week: ${count(theirs.unitsPerWeek)}`,
          ]}
          onKeep={() => store(isEditing ? Number(typed) : null, theirs.version)}
          onDiscard={cancel}
        />
      )}
      {save.error && !(theirs && isStale(save.error)) && <ErrorNotice error={unread ?? save.error} />}
    </>
  )
  if (!isEditing) {
    return (
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          autoFocus={autoFocus}
          onClick={() => {
            setTyped(unitsPerWeek ?? '')
            setEdited(version)
            clearTheirs()
            save.reset()
            open()
          }}
        >
          Enter weekly sales
        </Button>
        {unitsPerWeek !== null && (
          <Button variant="default" size="xs" loading={save.isPending} onClick={() => store(null, version)}>
            Use the computed forecast
          </Button>
        )}
        {refused}
      </Group>
    )
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (typed !== '') store(Number(typed), edited)
      }}
    >
      <Stack gap="sm">
        {refused}
        <FormLock isBusy={save.isPending}>
          <NumberField
            label="Pieces sold in a week"
            description="Applies to every week, also during events, until you choose Use the computed forecast."
            value={typed}
            onChange={setTyped}
            max={1_000_000}
            decimals={2}
            autoFocus
          />
        </FormLock>
        <Group gap="xs">
          <Button type="submit" size="xs" loading={save.isPending} disabled={typed === ''}>
            Save forecast
          </Button>
          <Button variant="default" size="xs" disabled={save.isPending} onClick={cancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
