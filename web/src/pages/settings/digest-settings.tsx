import { Button, Checkbox, Select, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { DigestSettings as Settings } from '../../../../shared/schemas/digest.ts'
import { readQuery, useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { AddressField } from '../../components/forms/address-field.tsx'
import { FormBar } from '../../components/forms/form-bar.tsx'
import { useFormBase } from '../../components/forms/form-base.ts'
import { fieldErrors } from '../../components/forms/form-errors.ts'
import { FormLock } from '../../components/forms/form-lock.tsx'
import { changedFields } from '../../components/forms/record-save.ts'
import { useTheirs } from '../../components/forms/their-changes.ts'
import { VersionConflict } from '../../components/forms/version-conflict.tsx'
import { isStale } from '../../components/forms/versions.ts'
import { Card } from '../../components/layout/card.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { DigestPreview } from './digest-preview.tsx'
import { LastTest, SendTest } from './digest-test.tsx'
import classes from './settings.module.css'

const query = readQuery('GET /digest', {})
const maxRecipients = 5

/** The daily digest by e-mail: on or off, its hour, its recipients, and what it would say now. */
export function DigestSettings() {
  const { data, error, refetch } = useQuery(query)
  return (
    <Card title="Daily digest">
      {error && !data && <ErrorNotice error={error} onRetry={refetch} />}
      {data && <DigestForm settings={data} />}
    </Card>
  )
}

type Form = Pick<Settings, 'enabled' | 'recipients'> & { hour: string }

const formOf = ({ enabled, hour, recipients }: Settings): Form => ({
  enabled,
  hour: String(hour),
  recipients,
})
const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))

const shownOf = ({ enabled, hour, recipients }: Settings) => ({
  Digest: enabled ? 'on' : 'off',
  'Hour of the digest': hours[hour]?.label ?? '',
  Recipients: recipients.join(', ') || 'empty',
})

function DigestForm({ settings }: { settings: Settings }) {
  const client = useQueryClient()
  const [isPreviewOpen, setIsPreviewOpen] = useState(false)
  const form = useForm<Form>({ initialValues: formOf(settings) })
  const base = useFormBase(form, settings, formOf)
  const { theirs: latest, unread, clearTheirs, readTheirs } = useTheirs(query)
  // a form without changes has taken what was read, and there is nothing to choose any more
  const theirs = latest?.version === base.version ? null : latest
  const save = useChange('PUT /digest', {
    onDone: (saved) => {
      clearTheirs()
      client.setQueryData(query.queryKey, saved)
      form.resetDirty()
      notifyDone('Digest saved')
    },
    onRefused: async (refused) => {
      form.setErrors(fieldErrors(refused))
      await readTheirs(refused)
    },
  })
  const forget = () => {
    clearTheirs()
    save.reset()
  }
  const store = ({ version } = base) =>
    form.onSubmit(({ enabled, hour, recipients }) =>
      save.mutate({
        body: {
          ...(form.isDirty('enabled') && { enabled }),
          ...(form.isDirty('hour') && { hour: Number(hour) }),
          ...(form.isDirty('recipients') && { recipients, version }),
        },
      }),
    )
  return (
    <form onSubmit={store()} noValidate aria-label="Daily digest">
      <Stack>
        {theirs && (
          <VersionConflict
            noun="digest"
            differences={changedFields(shownOf(base), shownOf(theirs))}
            refused="Your changes are still below, but not saved. Overwriting also adds recipients again that have unsubscribed."
            onKeep={store(theirs)}
            onDiscard={() => {
              forget()
              // then the form takes the settings that were read
              form.reset()
            }}
          />
        )}
        {save.error && !(theirs && isStale(save.error)) && Object.keys(form.errors).length === 0 && (
          <ErrorNotice error={unread ?? save.error} />
        )}
        <FormLock isBusy={save.isPending}>
          <Checkbox
            label="E-mail a daily digest"
            description="Low stock, what to order today, late orders and what failed. Sent only when something is new."
            {...form.getInputProps('enabled', { type: 'checkbox' })}
          />
          <AddressField
            label="Send the digest to"
            description="1 to 5 addresses. Each e-mail has a link to unsubscribe."
            name="recipients"
            value={form.values.recipients}
            onChange={(addresses) => {
              form.setFieldValue('recipients', addresses)
              form.setErrors({})
            }}
            errors={textErrors(form.errors)}
            maxCount={maxRecipients}
          />
          <Select
            className={classes.threshold}
            label="Hour of the digest"
            description="In your shop’s time zone."
            data={hours}
            allowDeselect={false}
            checkIconPosition="right"
            {...form.getInputProps('hour')}
          />
        </FormLock>
        {settings.last && <LastDigest last={settings.last} />}
        {isPreviewOpen && <DigestPreview />}
        <SendTest isDirty={form.isDirty()}>
          <Button
            variant="default"
            aria-expanded={isPreviewOpen}
            onClick={() => setIsPreviewOpen(!isPreviewOpen)}
          >
            {isPreviewOpen ? 'Hide the preview' : 'Preview today’s digest'}
          </Button>
        </SendTest>
        <LastTest />
      </Stack>
      <FormBar form={form} isBusy={save.isPending} onSave={store()} onDiscard={forget} />
    </form>
  )
}

const textErrors = (errors: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(errors).map(([path, message]) => [path, String(message)]))

function LastDigest({ last }: { last: NonNullable<Settings['last']> }) {
  const { calendarDay } = useFormat()
  const { day, state, sent, failed, pending } = last
  const results = [
    ...(sent > 0 ? [`${sent} sent`] : []),
    ...(pending > 0 ? [`${pending} being sent`] : []),
    ...(failed > 0 ? [`${failed} failed or not confirmed`] : []),
  ]
  const outcome =
    state === 'nothing_new'
      ? 'nothing was new, so no e-mail was sent'
      : state === 'skipped'
        ? 'not sent'
        : results.join(', ') || 'being prepared'
  return (
    <Text size="sm" c="dimmed">
      Last digest, {calendarDay(day)}: {outcome}.
    </Text>
  )
}
