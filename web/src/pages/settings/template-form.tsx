import { Button, Code, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MailTemplate } from '../../../../shared/schemas/mail-templates.ts'
import { readQuery, useChange } from '../../api/queries.ts'
import { request } from '../../api/request.ts'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { FormBar } from '../../components/forms/form-bar.tsx'
import { useFormBase } from '../../components/forms/form-base.ts'
import { fieldErrors } from '../../components/forms/form-errors.ts'
import { FormLock } from '../../components/forms/form-lock.tsx'
import { changedFields } from '../../components/forms/record-save.ts'
import { useTheirs } from '../../components/forms/their-changes.ts'
import { VersionConflict } from '../../components/forms/version-conflict.tsx'
import { isStale } from '../../components/forms/versions.ts'
import classes from './settings.module.css'

type Props = {
  template: MailTemplate
  /** The API refused the template, so its fields must be seen. */
  onFault: () => void
}

const templates = readQuery('GET /mail-templates', {})
const valuesOf = ({ subject, body }: MailTemplate) => ({ subject, body })

/** The beginning of a long text is enough to know it. */
const shownOf = ({ subject, body }: MailTemplate) => ({
  Subject: subject,
  Text: body.length > 300 ? `${body.slice(0, 300)} …` : body,
})

export function TemplateForm({ template, onFault }: Props) {
  const { kind, isOwn, placeholders } = template
  const client = useQueryClient()
  const form = useForm({ initialValues: valuesOf(template) })
  const base = useFormBase(form, template, valuesOf)
  const { theirs, unread, clearTheirs, readTheirs } = useTheirs(templates)
  // a form without changes has taken what was read, and there is nothing to choose any more
  const theirTemplate = theirs?.find((other) => other.kind === kind && other.version !== base.version)
  const save = useChange('PUT /mail-templates/:kind', {
    onDone: (saved) => {
      clearTheirs()
      form.resetDirty()
      // at once: the next save needs the version of this one
      client.setQueryData(templates.queryKey, (all) =>
        all?.map((other) => (other.kind === kind ? saved : other)),
      )
      notifyDone('Template saved')
    },
    onRefused: async (error) => {
      onFault()
      form.setErrors(fieldErrors(error))
      await readTheirs(error)
    },
  })
  const forget = () => {
    clearTheirs()
    save.reset()
  }
  const [isAsking, setAsking] = useState(false)
  const reset = useChange('DELETE /mail-templates/:kind', {
    onDone: async () => {
      setAsking(false)
      forget()
      form.reset()
      // the fields stay locked until they have the standard text
      await client.refetchQueries({ queryKey: templates.queryKey })
      notifyDone('Template removed')
    },
  })
  const isBusy = save.isPending || reset.isPending
  const store = ({ version } = base) =>
    form.onSubmit((values) => save.mutate({ params: { kind }, body: { ...values, version } }))
  return (
    <form onSubmit={store()} noValidate aria-label="Template">
      <Stack>
        {theirTemplate && (
          <VersionConflict
            noun="template"
            differences={changedFields(shownOf(base), shownOf(theirTemplate))}
            onKeep={store(theirTemplate)}
            onDiscard={() => {
              forget()
              // then the form takes the template that was read
              form.reset()
            }}
          />
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          <Stack>
            <FormLock isBusy={isBusy}>
              <TextInput label="Subject" maxLength={200} {...form.getInputProps('subject')} />
              <Textarea
                label="Text"
                autosize
                minRows={10}
                maxRows={20}
                maxLength={10_000}
                {...form.getInputProps('body')}
              />
            </FormLock>
            <Text size="xs" c="dimmed">
              Placeholders, which each e-mail replaces:{' '}
              {placeholders.map((name) => (
                <Code key={name} mr={4} display="inline-block">
                  {`{{${name}}}`}
                </Code>
              ))}
              A line whose placeholders are all empty is left out.
            </Text>
          </Stack>
          <Sample kind={kind} {...form.values} />
        </SimpleGrid>
        {save.error &&
          !(theirTemplate && isStale(save.error)) &&
          Object.keys(fieldErrors(save.error)).length === 0 && <ErrorNotice error={unread ?? save.error} />}
        {isOwn && (
          <Group>
            <Button variant="default" loading={reset.isPending} onClick={() => setAsking(true)}>
              Use the standard text
            </Button>
          </Group>
        )}
      </Stack>
      <FormBar form={form} isBusy={isBusy} onSave={store()} onDiscard={forget} />
      <Confirm
        isOpen={isAsking}
        title="Use the standard text?"
        confirm="Delete the template"
        dismiss="Keep the template"
        isDestructive
        isBusy={reset.isPending}
        error={reset.error}
        onConfirm={() => reset.mutate({ params: { kind } })}
        onCancel={() => setAsking(false)}
      >
        The shop’s own subject and text of these e-mails are deleted.
      </Confirm>
    </form>
  )
}

type SampleProps = Pick<MailTemplate, 'kind' | 'subject' | 'body'>

/** The template with the values of an example order, a moment after the user stops typing. */
function Sample({ kind, subject, body }: SampleProps) {
  const [typed] = useDebouncedValue({ subject, body }, 400)
  const isEmpty = typed.subject.trim() === '' || typed.body.trim() === ''
  const { data, error } = useQuery({
    queryKey: ['mail-template-sample', kind, typed],
    queryFn: ({ signal }) =>
      request('POST /mail-templates/:kind/preview', { params: { kind }, body: typed }, signal),
    enabled: !isEmpty,
    placeholderData: (before) => before,
    retry: false,
  })
  return (
    <section aria-label="Preview of the template" className={classes.preview}>
      <Text size="sm" c="dimmed" mb="xs">
        An example:
      </Text>
      <div className={classes.paper}>
        {error ? (
          <ErrorNotice error={error} />
        ) : (
          <>
            <Text fw={650}>{data?.subject}</Text>
            <Text size="sm" className={classes.row} dir="auto">
              {data?.body}
            </Text>
          </>
        )}
      </div>
    </section>
  )
}
