import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { readQuery, useChange } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { type FieldErrors, fieldErrors } from '../../../components/forms/form-errors.ts'
import { UnsavedGuard } from '../../../components/forms/unsaved-guard.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { VariantPicker } from '../../../components/pickers/variant-picker.tsx'
import { useSettings } from '../../../components/shop/settings.tsx'
import { OrderStatusBadge } from '../../../components/tables/status-badge.tsx'
import { withAdded } from '../form/added-lines.ts'
import { type DraftLine, draftOf, isSame, linePatches } from '../form/draft.ts'
import { LineTable } from '../form/line-table.tsx'

const route = getRouteApi('/purchase-orders/$id/revise')

/** The page that changes the lines of a sent order and e-mails the difference. */
export function OrderRevise() {
  const { id } = route.useParams()
  const query = useQuery(readQuery('GET /purchase-orders/:id', { params: { id } }))
  return <Loaded query={query}>{(order) => <Reviser key={order.id} order={order} />}</Loaded>
}

function Reviser({ order }: { order: PurchaseOrder }) {
  const { timeZone } = useSettings()
  const client = useQueryClient()
  const navigate = useNavigate()
  /** The order that the lines were read from: a later version of another user does not replace what is typed. */
  const [base] = useState(order)
  const [draft, setDraft] = useState(() => draftOf(base, timeZone))
  const [reason, setReason] = useState('')
  const [errors, setErrors] = useState<FieldErrors>({})
  const params = { id: base.id }
  const revise = useChange('POST /purchase-orders/:id/revise', {
    onDone: (saved) => {
      client.setQueryData(readQuery('GET /purchase-orders/:id', { params }).queryKey, saved)
      notifyDone(`${saved.poNumber} revised`)
      return navigate({ to: '/purchase-orders/$id', params, ignoreBlocker: true })
    },
    onRefused: (error) => setErrors(fieldErrors(error)),
  })
  const setLines = useCallback(
    (change: (lines: readonly DraftLine[]) => readonly DraftLine[]) =>
      setDraft((now) => ({ ...now, lines: change(now.lines) })),
    [],
  )
  const changeLine = useCallback(
    (key: number, change: Partial<DraftLine>) =>
      setLines((lines) => lines.map((line) => (line.key === key ? { ...line, ...change } : line))),
    [setLines],
  )
  const removeLine = useCallback(
    (key: number) => setLines((lines) => lines.filter((line) => line.key !== key)),
    [setLines],
  )
  const isDirty = !isSame(draft, draftOf(base, timeZone))
  const save = () => {
    setErrors({})
    revise.mutate({
      params,
      body: { lineItems: linePatches(draft, base), version: base.version, reason },
    })
  }
  return (
    <PageBody>
      <PageHeader
        title={`Revise ${base.poNumber}`}
        mark={<OrderStatusBadge status={base.status} />}
        back={{ to: `/purchase-orders/${base.id}`, name: base.poNumber }}
        actions={
          <Button onClick={save} loading={revise.isPending} disabled={!isDirty || draft.lines.length === 0}>
            Save and e-mail
          </Button>
        }
      />
      {revise.error && <ErrorNotice error={revise.error} />}
      <Card title="Lines">
        <Stack>
          <Text c="dimmed" size="sm">
            {base.supplierName} gets an e-mail with the difference. A quantity can’t go below what was
            received.
          </Text>
          <VariantPicker
            label="Add a product"
            supplierId={base.supplierId}
            onPick={(variant) =>
              setLines((lines) => withAdded(lines, [{ variant, quantity: 1, costPrice: '' }]))
            }
          />
          {draft.lines.length === 0 ? (
            <Text c="dimmed">Keep at least one line. To end the order, go back and close or cancel it.</Text>
          ) : (
            <LineTable
              lines={draft.lines}
              currency={base.currency}
              supplierId={base.supplierId}
              errors={errors}
              onChange={changeLine}
              onRemove={removeLine}
            />
          )}
          <TextInput
            label="Reason"
            description="Kept with the revision"
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            error={errors.reason}
          />
        </Stack>
      </Card>
      <UnsavedGuard when={isDirty && !revise.isSuccess} />
    </PageBody>
  )
}
