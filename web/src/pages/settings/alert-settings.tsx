import { Checkbox, NumberInput, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { fieldErrors } from '../../components/forms/form-errors.ts'
import { Card } from '../../components/layout/card.tsx'
import classes from './settings.module.css'
import { type AlertForm, configurationOf } from './settings-form.ts'

/** What a merchant wants to be told. */
export function AlertSettings({ form }: { form: UseFormReturnType<AlertForm> }) {
  const save = useChange('POST /alerts/configure', {
    onDone: (_answer, { body }) => {
      form.setInitialValues({ ...form.values, ...body })
      form.resetDirty({ ...form.values, ...body })
      notifyDone('Alerts saved.')
    },
    onRefused: (error) => form.setErrors(fieldErrors(error)),
  })
  const submit = form.onSubmit((values) => save.mutate({ body: configurationOf(values) }))
  return (
    <form onSubmit={submit} noValidate aria-label="Alerts">
      <Card title="Alerts">
        <Stack>
          {save.error && Object.keys(form.errors).length === 0 && <ErrorNotice error={save.error} />}
          <Checkbox
            label="Tell me when stock is low"
            description="Below the reorder point of its rule. What is told already stays until it is over."
            {...form.getInputProps('lowStockAlerts', { type: 'checkbox' })}
          />
          <NumberInput
            className={classes.threshold}
            label="Tell me earlier"
            description={exampleOf(form.values.alertThresholdPercent)}
            suffix=" %"
            min={0}
            max={1000}
            decimalScale={2}
            hideControls
            disabled={!form.values.lowStockAlerts}
            {...form.getInputProps('alertThresholdPercent')}
          />
          <Checkbox
            label="Tell me when an order is overdue"
            description="Later than it was expected, or than its supplier’s lead time."
            {...form.getInputProps('overduePoAlerts', { type: 'checkbox' })}
          />
          <FormButtons form={form} isBusy={save.isPending} save="Save alerts" />
        </Stack>
      </Card>
    </form>
  )
}

const examplePoint = 20

function exampleOf(percent: number | string): string {
  const below = examplePoint * (1 + Number(percent) / 100)
  return `Of a reorder point of ${examplePoint}, you are told below ${Math.round(below * 100) / 100}.`
}
