import { Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ApiError } from '../../../api/api-error.ts'
import { useChange } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { FormBar } from '../../../components/forms/form-bar.tsx'
import { fieldErrors } from '../../../components/forms/form-errors.ts'
import { FormLock } from '../../../components/forms/form-lock.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { TextLink } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { usePageNavigate } from '../../../components/layout/page-navigate.ts'
import { RuleNumbers, RuleSubject } from './rule-fields.tsx'
import { emptyRule, inputOf, type RuleForm } from './rule-form.ts'

export function RuleCreate() {
  const navigate = usePageNavigate()
  const form = useForm<RuleForm>({
    initialValues: emptyRule,
    validate: { variantId: (picked) => (picked ? null : 'Choose a product.') },
  })
  const create = useChange('POST /reorder/rules', {
    onDone: () => {
      notifyDone('Rule created')
      return navigate({ to: '/reorder/rules', replace: true, ignoreBlocker: true })
    },
    onRefused: (error) => form.setErrors(fieldErrors(error)),
  })
  const save = form.onSubmit((values) => {
    if (values.variantId) create.mutate({ body: inputOf(values.variantId.variantId, values) })
  })
  const picked = form.values.variantId
  // the API allows one rule for each product and location
  const isDuplicate = create.error instanceof ApiError && create.error.code === 'conflict'
  return (
    <PageBody>
      <form onSubmit={save} noValidate>
        <Stack>
          <PageHeader title="Create a rule" back={{ to: '/reorder/rules', name: 'Reorder rules' }} />
          {create.error && Object.keys(form.errors).length === 0 && <ErrorNotice error={create.error} />}
          {isDuplicate && picked && (
            <Text>
              <TextLink to="/reorder/rules" search={{ variantId: picked.variantId }}>
                Show the rules of {picked.title}
              </TextLink>
            </Text>
          )}
          <FormLock isBusy={create.isPending}>
            <Card title="Product">
              <RuleSubject form={form} />
            </Card>
            <Card title="Reorder settings">
              <RuleNumbers form={form} />
            </Card>
          </FormLock>
        </Stack>
        <FormBar form={form} isBusy={create.isPending} isNew isSaved={create.isSuccess} onSave={save} />
      </form>
    </PageBody>
  )
}
