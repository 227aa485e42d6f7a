import { Button, NumberInput, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconClipboardText } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type Dispatch, type SetStateAction, useCallback, useState } from 'react'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { readQuery } from '../../../api/queries.ts'
import type { FieldErrors } from '../../../components/forms/form-errors.ts'
import { Card } from '../../../components/layout/card.tsx'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import { SupplierPicker } from '../../../components/pickers/supplier-picker.tsx'
import { VariantPicker } from '../../../components/pickers/variant-picker.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { type AddedLine, withAdded } from './added-lines.ts'
import { type Draft, type DraftLine, subtotal } from './draft.ts'
import { LineTable } from './line-table.tsx'
import classes from './order-form.module.css'
import { PasteDialog } from './paste-dialog.tsx'

type Props = {
  draft: Draft
  onChange: Dispatch<SetStateAction<Draft>>
  errors: FieldErrors
  /** The stored order; undefined for a new one. */
  stored: PurchaseOrder | undefined
}

/** The form of an order. After it is sent, only the notes and the expected day can change. */
export function OrderForm({ draft, onChange, errors, stored }: Props) {
  const set = <Name extends keyof Draft>(name: Name, value: Draft[Name]) =>
    onChange((now) => ({ ...now, [name]: value }))
  const isDraft = stored === undefined || stored.status === 'draft'
  return (
    <>
      <Card title="Order">
        <SimpleGrid cols={{ base: 1, sm: isDraft ? 3 : 1 }}>
          {isDraft && (
            <>
              <SupplierPicker
                label="Supplier"
                isRequired
                placeholder="Choose one"
                value={draft.supplierId}
                onChange={(id) => set('supplierId', id)}
                known={stored && { id: stored.supplierId, name: stored.supplierName }}
                error={errors.supplierId}
              />
              <LocationPicker
                label="Deliver to"
                placeholder="Primary location"
                isClearable
                value={draft.destinationLocationId}
                onChange={(id) => set('destinationLocationId', id)}
                error={errors.destinationLocationId}
              />
            </>
          )}
          {isDraft && (
            <TextInput
              label="Currency"
              placeholder="The supplier’s"
              maxLength={3}
              value={draft.currency}
              onChange={(event) => set('currency', event.currentTarget.value.toUpperCase())}
              error={errors.currency}
            />
          )}
          <TextInput
            type="date"
            label="Expected on"
            value={draft.expectedDay}
            onChange={(event) => set('expectedDay', event.currentTarget.value)}
            error={errors.expectedAt}
          />
        </SimpleGrid>
      </Card>
      {isDraft && <Lines draft={draft} onChange={onChange} errors={errors} />}
      <Card title="Notes">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Textarea
            label="Note to the supplier"
            description="Printed on the order"
            autosize
            minRows={3}
            value={draft.supplierNotes}
            onChange={(event) => set('supplierNotes', event.currentTarget.value)}
            error={errors.supplierNotes}
          />
          <Textarea
            label="Internal note"
            description="Not shown to the supplier"
            autosize
            minRows={3}
            value={draft.notes}
            onChange={(event) => set('notes', event.currentTarget.value)}
            error={errors.notes}
          />
        </SimpleGrid>
      </Card>
    </>
  )
}

function Lines({ draft, onChange, errors }: Pick<Props, 'draft' | 'onChange' | 'errors'>) {
  const [isPasting, setPasting] = useState(false)
  const currency = useOrderCurrency(draft)
  const add = (added: AddedLine[]) => onChange((now) => ({ ...now, lines: withAdded(now.lines, added) }))
  const changeLine = useCallback(
    (key: number, change: Partial<DraftLine>) =>
      onChange((now) => ({
        ...now,
        lines: now.lines.map((line) => (line.key === key ? { ...line, ...change } : line)),
      })),
    [onChange],
  )
  const removeLine = useCallback(
    (key: number) => onChange((now) => ({ ...now, lines: now.lines.filter((line) => line.key !== key) })),
    [onChange],
  )
  return (
    <Card
      title="Lines"
      action={
        <Button
          variant="default"
          size="xs"
          leftSection={<IconClipboardText size={14} />}
          onClick={() => setPasting(true)}
        >
          Paste lines
        </Button>
      }
    >
      <Stack>
        <VariantPicker
          label="Add a product"
          supplierId={draft.supplierId}
          onPick={(variant) => add([{ variant, quantity: 1, costPrice: '' }])}
        />
        {errors.lineItems && <Text c="var(--mantine-color-error)">{errors.lineItems}</Text>}
        {draft.lines.length === 0 ? (
          <Text c="dimmed">No lines yet. Search for a product above, or paste lines from a spreadsheet.</Text>
        ) : (
          <LineTable
            lines={draft.lines}
            currency={currency}
            supplierId={draft.supplierId}
            errors={errors}
            onChange={changeLine}
            onRemove={removeLine}
          />
        )}
        <Totals draft={draft} onChange={onChange} errors={errors} />
      </Stack>
      <PasteDialog
        isOpen={isPasting}
        supplierId={draft.supplierId}
        onAdd={add}
        onClose={() => setPasting(false)}
      />
    </Card>
  )
}

/** The order's own currency, else that of its supplier; undefined: the shop's. */
function useOrderCurrency({ supplierId, currency }: Draft): string | undefined {
  const { data } = useQuery({
    ...readQuery('GET /suppliers/:id/terms', { params: { id: supplierId ?? 0 }, query: {} }),
    enabled: supplierId !== null && currency === '',
    staleTime: 30_000,
  })
  return currency || data?.currency
}

function Totals({ draft, onChange, errors }: Pick<Props, 'draft' | 'onChange' | 'errors'>) {
  const { money, decimals, decimalSeparator } = useFormat(useOrderCurrency(draft))
  const sum = subtotal(draft.lines, decimals)
  return (
    <dl className={classes.totals} aria-label="Totals">
      <dt>Subtotal</dt>
      <dd>{money(sum)}</dd>
      <dt>
        <label htmlFor="discount">Discount</label>
      </dt>
      <dd>
        <NumberInput
          id="discount"
          value={draft.discount}
          onChange={(discount) =>
            onChange((now) => ({ ...now, discount: discount === '' ? '' : Number(discount) }))
          }
          allowNegative={false}
          decimalScale={decimals}
          decimalSeparator={decimalSeparator}
          hideControls
          placeholder="0"
          error={errors.discount}
          w={110}
          styles={{ input: { textAlign: 'right' } }}
        />
      </dd>
      <dt>
        <label htmlFor="tax">Tax</label>
      </dt>
      <dd>
        <NumberInput
          id="tax"
          value={draft.tax}
          onChange={(tax) => onChange((now) => ({ ...now, tax: tax === '' ? '' : Number(tax) }))}
          allowNegative={false}
          decimalScale={decimals}
          decimalSeparator={decimalSeparator}
          hideControls
          placeholder="0"
          error={errors.tax}
          w={110}
          styles={{ input: { textAlign: 'right' } }}
        />
      </dd>
      <dt>Total</dt>
      <dd className={classes.total}>{money(sum - Number(draft.discount) + Number(draft.tax))}</dd>
    </dl>
  )
}
