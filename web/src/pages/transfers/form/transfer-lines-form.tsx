import { ActionIcon, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { type Dispatch, memo, type SetStateAction, useCallback } from 'react'
import type { FieldErrors } from '../../../components/forms/form-errors.ts'
import { QuantityField } from '../../../components/forms/quantity-field.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { ProductAdder } from '../../../components/pickers/product-adder.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import { RowTable } from '../../../components/tables/row-table.tsx'
import { SourceStock, useSourceStock } from '../source-stock.tsx'
import { type Draft, type DraftLine, withAdded } from './draft.ts'

type Props = { draft: Draft; onChange: Dispatch<SetStateAction<Draft>>; errors: FieldErrors }

export function TransferLinesForm({ draft, onChange, errors }: Props) {
  const { lines, sourceLocationId } = draft
  const stockOf = useSourceStock(lines, sourceLocationId)
  const changeLines = useCallback(
    (change: (lines: readonly DraftLine[]) => readonly DraftLine[]) =>
      onChange((now) => ({ ...now, lines: change(now.lines) })),
    [onChange],
  )
  const setQuantity = useCallback(
    (key: number, quantity: number | '') =>
      changeLines((now) => now.map((line) => (line.key === key ? { ...line, quantity } : line))),
    [changeLines],
  )
  // the API reports an error by the index of its item
  const at = new Map(lines.map(({ key }, index) => [key, index]))
  const errorOf = ({ key }: DraftLine, field: string) => errors[`items.${at.get(key)}${field}`]
  return (
    <Card title="Products">
      <Stack>
        <ProductAdder
          onForm={lines}
          onAdd={(chosen) => changeLines((now) => chosen.reduce(withAdded, now))}
          error={errors.items}
        />
        {lines.length === 0 ? (
          <Text c="dimmed">No products yet. Search for one above, or scan its barcode.</Text>
        ) : (
          <RowTable
            label="Products"
            rows={lines}
            keyOf={({ key }) => key}
            columns={[
              {
                name: 'Product',
                cell: (line) => (
                  <div>
                    <ProductName {...line} />
                    <LineError message={errorOf(line, '') ?? errorOf(line, '.variantId')} />
                  </div>
                ),
              },
              {
                name: 'At the source',
                isNumber: true,
                cell: ({ variantId, quantity }) => (
                  <SourceStock stock={stockOf(variantId)} quantity={quantity} />
                ),
              },
              {
                name: 'Quantity',
                isNumber: true,
                cell: (line) => (
                  <LineQuantity line={line} error={errorOf(line, '.quantity')} onChange={setQuantity} />
                ),
              },
              {
                name: 'Remove',
                isNumber: true,
                isAction: true,
                cell: ({ key, title }) => (
                  <ActionIcon
                    variant="subtle"
                    color="dark.6"
                    size="lg"
                    aria-label={`Remove ${title}`}
                    onClick={() => changeLines((now) => now.filter((line) => line.key !== key))}
                  >
                    <IconTrash size={18} />
                  </ActionIcon>
                ),
              },
            ]}
          />
        )}
      </Stack>
    </Card>
  )
}

const LineError = ({ message }: { message: string | undefined }) =>
  message && (
    <Text size="sm" c="var(--mantine-color-error)">
      {message}
    </Text>
  )

type QuantityProps = {
  line: DraftLine
  error: string | undefined
  onChange: (key: number, quantity: number | '') => void
}

/** A transfer may have 500 lines, so a field renders only when its own line changes. */
const LineQuantity = memo(({ line: { key, title, quantity }, error, onChange }: QuantityProps) => (
  <QuantityField
    label={`Quantity of ${title}`}
    value={quantity}
    onChange={(value) => onChange(key, value)}
    error={error}
  />
))
