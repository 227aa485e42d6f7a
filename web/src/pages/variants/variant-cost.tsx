import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Variant } from '../../../../shared/schemas/variants.ts'
import { useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { FormLock } from '../../components/forms/form-lock.tsx'
import { useInlineEdit } from '../../components/forms/inline-edit.ts'
import { NumberField } from '../../components/forms/number-field.tsx'
import { Card } from '../../components/layout/card.tsx'
import { useFormat } from '../../components/shop/format.ts'

const sourceNames: Record<NonNullable<Variant['costSource']>, string> = {
  platform: 'From your shop',
  receipt: 'From the last receipt',
  import: 'From an imported file',
  manual: 'Entered by hand',
}

type Props = { id: string; variant: Variant }

/** The unit cost of a variant, which a person may change. */
export function VariantCost({ id, variant }: Props) {
  const { cost, dateTime } = useFormat()
  const { isEditing, open, close, autoFocus } = useInlineEdit()
  const { unitCost, costSource, costAt, isDeleted } = variant
  return (
    <Card
      title="Unit cost"
      action={
        !isEditing &&
        !isDeleted && (
          <Button variant="default" size="xs" autoFocus={autoFocus} onClick={open}>
            Change
          </Button>
        )
      }
    >
      {isEditing ? (
        <CostForm id={id} variant={variant} onClose={close} />
      ) : unitCost === null || costSource === null ? (
        <Text c="dimmed">
          Unknown. Enter it here or in your shop’s admin, or receive an order: its price becomes the cost.
        </Text>
      ) : (
        <>
          <Text fw={600}>{cost(unitCost)}</Text>
          <Text size="sm" c="dimmed">
            {sourceNames[costSource]}
            {costAt && `, ${dateTime(costAt)}`}
          </Text>
        </>
      )}
    </Card>
  )
}

function CostForm({ id, variant, onClose }: Props & { onClose: () => void }) {
  const { currency } = useFormat()
  const [typed, setTyped] = useState<number | ''>(variant.unitCost ?? '')
  const save = useChange('PUT /variants/:id', {
    onDone: () => {
      onClose()
      notifyDone('Unit cost saved')
    },
  })
  const store = (unitCost: number | null) => save.mutate({ params: { id }, body: { unitCost } })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (typed !== '') store(typed)
      }}
    >
      <Stack gap="sm">
        {save.error && <ErrorNotice error={save.error} />}
        <FormLock isBusy={save.isPending}>
          <NumberField
            label={`Unit cost in ${currency}`}
            value={typed}
            onChange={setTyped}
            decimals={4}
            currency={currency}
            autoFocus
          />
        </FormLock>
        <Group gap="xs">
          <Button type="submit" size="xs" loading={save.isPending} disabled={typed === ''}>
            Save cost
          </Button>
          <Button variant="default" size="xs" disabled={save.isPending} onClick={onClose}>
            Cancel
          </Button>
          {variant.costSource !== null && variant.costSource !== 'platform' && (
            <Button variant="default" size="xs" disabled={save.isPending} onClick={() => store(null)}>
              Use the cost of my shop
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
