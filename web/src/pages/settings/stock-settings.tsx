import { Checkbox, Stack, Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { readQuery, useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { FormBar } from '../../components/forms/form-bar.tsx'
import { fieldErrors } from '../../components/forms/form-errors.ts'
import { FormLock } from '../../components/forms/form-lock.tsx'
import { NumberField } from '../../components/forms/number-field.tsx'
import { Card } from '../../components/layout/card.tsx'
import { useSettings } from '../../components/shop/settings.tsx'
import classes from './settings.module.css'
import { changedFields, type StockForm, stockFormOf, stockPatchOf } from './settings-form.ts'

/** The reasons of stock changes, and the limit above which a count needs an approval. */
export function StockSettings({ form }: { form: UseFormReturnType<StockForm> }) {
  const { currency } = useSettings()
  const client = useQueryClient()
  const save = useChange('PUT /settings', {
    onDone: (saved) => {
      client.setQueryData(readQuery('GET /settings', {}).queryKey, saved)
      const stored = stockFormOf(saved)
      form.setInitialValues(stored)
      form.setValues(stored)
      notifyDone('Stock settings saved')
    },
    onRefused: (error) => form.setErrors(errorsOf(error)),
  })
  const submit = form.onSubmit((values) =>
    save.mutate({ body: stockPatchOf(changedFields(values, form.getInitialValues())) }),
  )
  return (
    <form onSubmit={submit} noValidate aria-label="Counts and stock changes">
      <Card title="Counts and stock changes">
        <Stack>
          {save.error && Object.keys(form.errors).length === 0 && <ErrorNotice error={save.error} />}
          <FormLock isBusy={save.isPending}>
            <NumberField
              className={classes.threshold}
              label={`Approve counts above (${currency})`}
              description="When the shortages and surpluses of a count are together worth more, or their cost is not known, a user without numbers in the count must approve it. Leave empty for no approvals."
              min={0}
              max={1_000_000_000}
              decimals={2}
              currency={currency}
              {...form.getInputProps('countApprovalValue')}
            />
            <Textarea
              label="Reasons of stock changes"
              description="One on each line. Leave empty for the standard list."
              autosize
              minRows={3}
              {...form.getInputProps('adjustmentReasons')}
            />
            <Checkbox
              label="Require a reason of this list"
              description="For each adjustment, and for each count with a difference."
              {...form.getInputProps('adjustmentReasonRequired', { type: 'checkbox' })}
            />
          </FormLock>
          <FormBar form={form} isBusy={save.isPending} onSave={submit} />
        </Stack>
      </Card>
    </form>
  )
}

/** The API names the line of a reason; the form has one field for all. */
function errorsOf(error: unknown): Partial<Record<keyof StockForm, string>> {
  const faults = Object.entries(fieldErrors(error))
  return Object.fromEntries(faults.map(([path, message]) => [path.split('.')[0], message]))
}
