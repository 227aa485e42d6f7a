import '@mantine/core/styles/FloatingIndicator.css'
import '@mantine/core/styles/SegmentedControl.css'
import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MailKind } from '../../../../shared/schemas/mail-templates.ts'
import { readQuery } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { Card } from '../../components/layout/card.tsx'
import { TemplateForm } from './template-form.tsx'

/** The shop's own words of the e-mails to suppliers. */
export function MailTemplates() {
  const { data, error, refetch } = useQuery(readQuery('GET /mail-templates', {}))
  const [kind, setKind] = useState<MailKind>('purchase_order')
  return (
    <Card title="E-mails to suppliers">
      <Stack>
        <Text size="sm" c="dimmed">
          Without a template of yours, e-mails are in the supplier’s language. A template is used as it is for
          every supplier.
        </Text>
        <SegmentedControl
          aria-label="Kind of e-mail"
          data={[
            { value: 'purchase_order', label: 'Order' },
            { value: 'revision', label: 'Changed order' },
          ]}
          value={kind}
          onChange={(value) => setKind(value as MailKind)}
        />
        {error && !data && <ErrorNotice error={error} onRetry={refetch} />}
        {data?.map((template) => (
          // both stay, so that changing the kind keeps what is typed
          <div key={template.kind} hidden={template.kind !== kind}>
            <TemplateForm template={template} onFault={() => setKind(template.kind)} />
          </div>
        ))}
      </Stack>
    </Card>
  )
}
