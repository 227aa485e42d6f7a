import { Checkbox, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { FormBar } from '../../components/forms/form-bar.tsx'
import { fieldErrors } from '../../components/forms/form-errors.ts'
import { FormLock } from '../../components/forms/form-lock.tsx'
import { NumberField } from '../../components/forms/number-field.tsx'
import { Card } from '../../components/layout/card.tsx'
import classes from './settings.module.css'
import { type AlertForm, alertPatchOf, changedFields } from './settings-form.ts'

export function AlertSettings({ form }: { form: UseFormReturnType<AlertForm> }) {
  const save = useChange('POST /alerts/configure', {
    onDone: (_answer, { body }) => {
      const stored = { ...form.values, ...body }
      form.setInitialValues(stored)
      form.setValues(stored)
      notifyDone('Alerts saved')
    },
    onRefused: (error) => form.setErrors(fieldErrors(error)),
  })
  const submit = form.onSubmit((values) =>
    save.mutate({ body: alertPatchOf(changedFields(values, form.getInitialValues())) }),
  )
  return (
    <form onSubmit={submit} noValidate aria-label="Alerts">
      <Card title="Alerts">
        <Stack>
          {save.error && Object.keys(form.errors).length === 0 && <ErrorNotice error={save.error} />}
          <FormLock isBusy={save.isPending}>
            <Checkbox
              label="Alert me when stock is low"
              description="When stock is below the reorder point of its rule. Existing alerts stay until resolved."
              {...form.getInputProps('lowStockAlerts', { type: 'checkbox' })}
            />
            <NumberField
              className={classes.threshold}
              label="Alert early by (%)"
              description={exampleOf(form.values.alertThresholdPercent)}
              min={0}
              max={1000}
              decimals={2}
              disabled={!form.values.lowStockAlerts}
              {...form.getInputProps('alertThresholdPercent')}
            />
            <Checkbox
              label="Alert me when an order is overdue"
              description="When its expected date or its supplier’s lead time has passed."
              {...form.getInputProps('overduePoAlerts', { type: 'checkbox' })}
            />
          </FormLock>
          <FormBar form={form} isBusy={save.isPending} onSave={submit} />
        </Stack>
      </Card>
    </form>
  )
}

const exampleReorderPoint = 20

function exampleOf(percent: number | string): string {
  const threshold = exampleReorderPoint * (1 + Number(percent) / 100)
  return `With a reorder point of ${exampleReorderPoint}, you’re alerted below ${Math.round(threshold * 100) / 100}.`
}
