import { ActionIcon, Autocomplete, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { Dispatch, SetStateAction } from 'react'
import type { FieldErrors } from '../../components/forms/form-errors.ts'
import { QuantityField } from '../../components/forms/quantity-field.tsx'
import { Card } from '../../components/layout/card.tsx'
import { ProductAdder } from '../../components/pickers/product-adder.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { ProductName } from '../../components/tables/product-name.tsx'
import { type Column, RowTable } from '../../components/tables/row-table.tsx'
import { type Draft, type DraftLine, sentLines, withAdded } from './draft.ts'
import { ReturnScan } from './return-scan.tsx'

type Props = {
  draft: Draft
  onChange: Dispatch<SetStateAction<Draft>>
  errors: FieldErrors
  /** The products are those of a receipt. */
  isOfReceipt: boolean
}

const commonReasons = ['Damaged', 'Defective', 'Wrong product', 'Expired', 'Not ordered']

/** The lines of a return: of a receipt each product that may go back, else the products that the user adds. */
export function ReturnLinesForm({ draft, onChange, errors, isOfReceipt }: Props) {
  const { count } = useFormat()
  const setLines = (change: (lines: readonly DraftLine[]) => readonly DraftLine[]) =>
    onChange((now) => ({ ...now, lines: change(now.lines) }))
  const setLine = (key: number, fields: Partial<DraftLine>) =>
    setLines((now) => now.map((line) => (line.key === key ? { ...line, ...fields } : line)))
  // the API reports an error by the index of the sent line
  const at = new Map(sentLines(draft).map(({ key }, index) => [key, index]))
  const errorOf = ({ key }: DraftLine, field: string) =>
    at.has(key) ? errors[`lines.${at.get(key)}${field}`] : undefined
  const columns: Column<DraftLine>[] = [
    {
      name: 'Product',
      cell: (line) => (
        <div>
          <ProductName {...line} bin={draft.locationId === draft.binLocationId ? line.bin : ''} />
          <LineError text={errorOf(line, '.variantId')} />
        </div>
      ),
    },
    ...(isOfReceipt
      ? [
          {
            name: 'Can go back',
            isNumber: true,
            cell: ({ returnable }: DraftLine) => (returnable === null ? '—' : count(returnable)),
          },
        ]
      : []),
    {
      name: 'Quantity',
      isNumber: true,
      cell: (line) => (
        <QuantityField
          label={`Quantity of ${line.title}`}
          value={line.quantity}
          onChange={(quantity) => setLine(line.key, { quantity })}
          error={errorOf(line, '.quantity')}
        />
      ),
    },
    {
      name: 'Reason',
      cell: (line) => (
        <Autocomplete
          aria-label={`Reason for ${line.title}`}
          data={commonReasons}
          value={line.reason}
          onChange={(reason) => setLine(line.key, { reason })}
          error={errorOf(line, '.reason')}
          maxLength={200}
        />
      ),
    },
    ...(isOfReceipt
      ? []
      : [
          {
            name: 'Remove',
            isNumber: true,
            isAction: true,
            cell: ({ key, title }: DraftLine) => (
              <RemoveButton
                title={title}
                onRemove={() => setLines((now) => now.filter((line) => line.key !== key))}
              />
            ),
          },
        ]),
  ]
  return (
    <Card title="Products">
      <Stack>
        {isOfReceipt ? (
          <>
            <Text c="dimmed">Scan what goes back, or enter the quantity of each product, and why.</Text>
            {draft.lines.length > 0 && <ReturnScan lines={draft.lines} setLines={setLines} />}
          </>
        ) : (
          <ProductAdder
            onForm={draft.lines}
            onAdd={(chosen) => setLines((now) => chosen.reduce(withAdded, now))}
            error={errors.lines}
          />
        )}
        {isOfReceipt && errors.lines && <Text c="var(--mantine-color-error)">{errors.lines}</Text>}
        {draft.lines.length === 0 ? (
          <Text c="dimmed">
            {isOfReceipt
              ? 'Everything that this receipt brought is on a return already.'
              : 'No products yet. Search for one above, or scan its barcode.'}
          </Text>
        ) : (
          <RowTable label="Products" rows={draft.lines} keyOf={({ key }) => key} columns={columns} />
        )}
      </Stack>
    </Card>
  )
}

const RemoveButton = ({ title, onRemove }: { title: string; onRemove: () => void }) => (
  <ActionIcon variant="subtle" color="dark.6" size="lg" aria-label={`Remove ${title}`} onClick={onRemove}>
    <IconTrash size={18} />
  </ActionIcon>
)

const LineError = ({ text }: { text: string | undefined }) =>
  text && (
    <Text size="sm" c="var(--mantine-color-error)">
      {text}
    </Text>
  )
