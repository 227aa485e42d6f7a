import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { IconClipboardText } from '@tabler/icons-react'
import { useCallback, useEffect, useState } from 'react'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { hideUndo, notifyUndoable } from '../../../components/feedback/notify-undo.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { ProductAdder } from '../../../components/pickers/product-adder.tsx'
import { type AddedLine, addedOf, withAdded } from './added-lines.ts'
import type { DraftLine } from './draft.ts'
import { figuresOf, isWithoutCost, repriced, termsOf, withPricesOf } from './line-prices.ts'
import { LineTable } from './line-table.tsx'
import { useLineTerms, useOrderTerms } from './line-terms.ts'
import type { OrderFormProps } from './order-form.tsx'
import { OrderTotals } from './order-totals.tsx'
import { PasteDialog } from './paste-dialog.tsx'

/** The lines of a draft with their sums. */
export function OrderLines({ draft, onChange, errors }: Omit<OrderFormProps, 'stored'>) {
  const { supplierId, lines } = draft
  const [isPasting, setPasting] = useState(false)
  const [hasDetails, setDetails] = useState(() => lines.some(({ discountPercent }) => discountPercent))
  const { data: orderTerms } = useOrderTerms(supplierId, draft.currency)
  const currency = draft.currency || orderTerms?.currency
  const taxRate = draft.taxRate === '' ? (orderTerms?.taxRate ?? 0) : draft.taxRate
  // not `currency`: when it arrives, the same terms would be read again, and the lines have none meanwhile
  const { terms, isPending } = useLineTerms(supplierId, draft.currency, lines)
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
  const reprice = () => {
    const result = repriced(lines, terms)
    const message = repricedMessage(result)
    if (result.changed.length === 0) return notifyDone(message)
    onChange((now) => ({ ...now, lines: result.lines }))
    notifyUndoable(message, () =>
      onChange((now) => ({ ...now, lines: withPricesOf(result.changed, now.lines) })),
    )
  }
  // without this form there is nothing to undo
  useEffect(() => hideUndo, [])
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
        <ProductAdder
          supplierId={supplierId}
          hasLow
          onForm={lines}
          onAdd={(chosen) => add(addedOf(chosen))}
          error={errors.lineItems}
        />
        {lines.length === 0 ? (
          <Text c="dimmed">No lines yet. Search for a product above, or paste lines from a spreadsheet.</Text>
        ) : (
          <>
            <Group justify="space-between" gap="xs">
              <DetailsSwitch isOn={Boolean(hasDetails)} onChange={setDetails} />
              <Button
                variant="default"
                size="xs"
                disabled={supplierId === null || isPending}
                onClick={reprice}
              >
                Use today’s prices
              </Button>
            </Group>
            <LineTable
              lines={lines}
              currency={currency}
              terms={terms}
              taxRate={taxRate}
              errors={errors}
              hasDetails={Boolean(hasDetails)}
              onChange={changeLine}
              onRemove={removeLine}
            />
          </>
        )}
        <OrderTotals
          draft={draft}
          onChange={onChange}
          errors={errors}
          currency={currency}
          figures={lines.map((line) => figuresOf(line, termsOf(terms, line), taxRate))}
          terms={orderTerms}
          withoutCost={lines.filter((line) => isWithoutCost(line, termsOf(terms, line))).length}
        />
      </Stack>
      <PasteDialog isOpen={isPasting} supplierId={supplierId} onAdd={add} onClose={() => setPasting(false)} />
    </Card>
  )
}

export const DetailsSwitch = ({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) => (
  <Checkbox
    label="Supplier SKU, pack size, discount and tax"
    checked={isOn}
    onChange={(event) => onChange(event.currentTarget.checked)}
  />
)

function repricedMessage({
  changed,
  unknown,
}: {
  changed: readonly DraftLine[]
  unknown: readonly DraftLine[]
}) {
  const done =
    changed.length === 0
      ? 'No price differs'
      : `${changed.length} ${changed.length === 1 ? 'price' : 'prices'} changed`
  if (unknown.length === 0) return done
  const [first] = unknown
  const others = unknown.length === 1 ? '' : ` and ${unknown.length - 1} more`
  return `${done}. No price is known for ${first?.title}${others}.`
}
