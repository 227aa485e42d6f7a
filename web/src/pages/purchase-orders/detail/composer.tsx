import { Button, Checkbox, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { PurchaseOrder, SendPreview } from '../../../../../shared/schemas/purchase-orders.ts'
import type { Supplier } from '../../../../../shared/schemas/suppliers.ts'
import { optimisticUpdate, readQuery, useChange } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { AddressField } from '../../../components/forms/address-field.tsx'
import { fieldErrors } from '../../../components/forms/form-errors.ts'
import { FormLock } from '../../../components/forms/form-lock.tsx'
import { isStale } from '../../../components/forms/versions.ts'
import { TextLink } from '../../../components/layout/link-button.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import classes from './composer.module.css'
import { changedFields, type Draft, draftOf, suggestedAddresses } from './mail-draft.ts'
import { MailPreview } from './mail-preview.tsx'

type Props = {
  order: PurchaseOrder
  preview: SendPreview
  /** Why the preview could not be read again. */
  previewError: unknown
  supplier: Supplier | undefined
  /** The order was sent before. */
  isResend: boolean
  attachCsv: boolean
  onAttachCsv: (attach: boolean) => void
  onClose: () => void
}

export function Composer({
  order,
  preview,
  previewError,
  supplier,
  isResend,
  attachCsv,
  onAttachCsv,
  onClose,
}: Props) {
  const { id } = order
  // what the dialog opened with: a field that still equals it is chosen by the API
  const [opened, setOpened] = useState(preview)
  const [draft, setDraft] = useState(() => draftOf(preview))
  const emptyLines = order.lineItems.filter(({ quantity }) => quantity === 0).length
  // what the merchant has to do: send, or first say to whom
  const [isComplete] = useState(preview.to.length > 0 && emptyLines === 0)
  const form = useRef<HTMLDivElement>(null)
  // the dialog has opened before the form has loaded, so its focus is on the cross, where Enter closes it
  useEffect(() => form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  const send = useChange('POST /purchase-orders/:id/send', {
    optimistic: ({ params }) =>
      optimisticUpdate(
        readQuery('GET /purchase-orders/:id', { params }),
        (now): PurchaseOrder => ({
          ...now,
          status: isResend ? now.status : 'sent',
          emailStatus: 'queued',
          emailReason: '',
        }),
      ),
    onDone: onClose,
  })
  const change = (fields: Partial<Draft>) => {
    setDraft((now) => ({ ...now, ...fields }))
    if (send.error) send.reset()
  }
  const isChanged = isStale(send.error)
  // a refused request reads the preview again
  if (isChanged && preview.version !== opened.version) {
    setOpened(preview)
    setDraft((typed) => ({ ...draftOf(preview), ...changedFields(typed, opened) }))
  }
  const errors = fieldErrors(send.error)
  const { unknownCosts } = order
  const isWithoutCosts = !isResend && unknownCosts > 0
  const hasRecipient = draft.to.length > 0
  const hasLostRecipients = !hasRecipient && opened.to.length > 0
  const submit = () =>
    send.mutate({
      params: { id },
      body: {
        ...changedFields(draft, opened),
        attachCsv,
        ...(isResend && { resend: true }),
        ...(isWithoutCosts && { allowUnknownCosts: true }),
        version: opened.version,
      },
    })
  const suggestions = supplier ? suggestedAddresses(supplier) : []
  const addresses = (name: 'to' | 'cc', label: string, description?: ReactNode) => (
    <AddressField
      label={label}
      description={description}
      name={name}
      suggestions={suggestions}
      value={draft[name]}
      onChange={(list) => change({ [name]: list })}
      errors={errors}
      isFirstInDialog={name === 'to' && !isComplete}
    />
  )
  return (
    <Stack ref={form}>
      <div className={classes.columns}>
        <Stack>
          <FormLock isBusy={send.isPending}>
            {addresses('to', 'To')}
            {!hasRecipient && opened.to.length === 0 && <NoAddress order={order} />}
            {addresses('cc', 'Cc')}
            <TextInput
              label="Subject"
              maxLength={300}
              value={draft.subject}
              onChange={(event) => change({ subject: event.currentTarget.value })}
              error={errors.subject}
            />
            <Textarea
              label="Text"
              autosize
              minRows={8}
              maxRows={16}
              value={draft.body}
              onChange={(event) => change({ body: event.currentTarget.value })}
              error={errors.body}
            />
            <Checkbox
              label="Attach the lines as CSV"
              checked={attachCsv}
              onChange={(event) => onAttachCsv(event.currentTarget.checked)}
            />
          </FormLock>
        </Stack>
        <MailPreview order={order} preview={preview} draft={draft} />
      </div>
      <LineNotice {...{ emptyLines, isWithoutCosts, unknownCosts }} />
      {isChanged && !previewError && (
        <Notice tone="waiting" title="This order has changed since you opened this e-mail">
          Nothing was sent. What you typed is still here, and the rest shows the order as it is now. Check it
          before you send it.
        </Notice>
      )}
      {isChanged && Boolean(previewError) && <ErrorNotice error={previewError} />}
      {send.error && !isChanged && Object.keys(errors).length === 0 && <ErrorNotice error={send.error} />}
      <SendButtons
        {...{ hasRecipient, hasLostRecipients, isResend, isWithoutCosts, submit, onClose }}
        isBusy={send.isPending}
        isBlocked={hasLostRecipients || emptyLines > 0}
        isFirst={isComplete}
      />
    </Stack>
  )
}

const NoAddress = ({ order: { supplierId, supplierName } }: { order: PurchaseOrder }) => (
  <Text size="sm" c="dimmed">
    Neither {supplierName} nor its contacts have an e-mail address. Type one here, add it{' '}
    <TextLink to="/suppliers/$id" params={{ id: supplierId }}>
      to the supplier
    </TextLink>
    , or mark the order as sent and give them the PDF yourself.
  </Text>
)

type LineProps = { emptyLines: number; isWithoutCosts: boolean; unknownCosts: number }

function LineNotice({ emptyLines, isWithoutCosts, unknownCosts }: LineProps) {
  const { many } = useFormat()
  return emptyLines > 0 ? (
    <Notice tone="bad">
      {many(emptyLines, 'line')} without a quantity. Edit the order before you send it.
    </Notice>
  ) : (
    isWithoutCosts && (
      <Notice tone="waiting">
        {many(unknownCosts, 'line')} without a cost. The supplier reads “to be agreed” there, and the total
        leaves {unknownCosts === 1 ? 'it' : 'them'} out.
      </Notice>
    )
  )
}

type ButtonProps = {
  hasRecipient: boolean
  /** The merchant removed all recipients. */
  hasLostRecipients: boolean
  isResend: boolean
  isWithoutCosts: boolean
  isBusy: boolean
  isBlocked: boolean
  /** The button to send has the focus when the dialog opens. */
  isFirst: boolean
  submit: () => void
  onClose: () => void
}

function SendButtons(props: ButtonProps) {
  const { hasRecipient, hasLostRecipients, isResend, isWithoutCosts, isBusy, isBlocked, isFirst } = props
  const { submit, onClose } = props
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" c="dimmed">
        {hasLostRecipients
          ? 'Add at least one recipient.'
          : isResend
            ? ''
            : 'The lines of a sent order change by a revision only.'}
      </Text>
      <Group gap="xs">
        <Button variant="default" disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <Button loading={isBusy} disabled={isBlocked} onClick={submit} data-autofocus={isFirst || undefined}>
          {hasRecipient
            ? isResend
              ? 'E-mail again'
              : isWithoutCosts
                ? 'Send without costs'
                : 'Send'
            : 'Mark as sent'}
        </Button>
      </Group>
    </Group>
  )
}
