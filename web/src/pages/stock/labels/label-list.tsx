import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { hideUndo, notifyUndoable } from '../../../components/feedback/notify-undo.tsx'
import { QuantityField } from '../../../components/forms/quantity-field.tsx'
import { PrintLabels } from '../../../components/labels/print-labels.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { ProductAdder } from '../../../components/pickers/product-adder.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { ProductName } from '../../../components/tables/product-name.tsx'
import { type Column, RowTable } from '../../../components/tables/row-table.tsx'
import { type LabelLine, maxProducts, useLabelLines } from './label-lines.ts'

/** Products for labels with the number of each. They stay listed through searches and visits, until they are removed. */
export function LabelList() {
  const { count, many } = useFormat()
  const { lines, add, setQuantity, remove, clear, restore } = useLabelLines()
  // an emptied field, and one whose text is no number
  const unready = lines.find(({ quantity }) => !(Number(quantity) > 0))
  const isTooMany = lines.length > maxProducts
  const total = lines.reduce((sum, { quantity }) => sum + (Number(quantity) || 0), 0)
  const columns: Column<LabelLine>[] = [
    { name: 'Product', cell: ({ title, sku, variantId }) => <ProductName {...{ title, sku, variantId }} /> },
    {
      name: 'Labels',
      isNumber: true,
      cell: (line) => (
        <QuantityField
          label={`Labels of ${line.title}`}
          value={line.quantity}
          onChange={(quantity) => setQuantity(line, quantity)}
        />
      ),
    },
    {
      name: 'Remove',
      isNumber: true,
      isAction: true,
      cell: (line) => (
        <ActionIcon
          variant="subtle"
          color="dark.6"
          size="lg"
          aria-label={`Remove ${line.title}`}
          onClick={() => remove(line)}
        >
          <IconTrash size={18} />
        </ActionIcon>
      ),
    },
  ]
  return (
    <PageBody>
      <PageHeader title="Labels" back={{ to: '/stock', name: 'Stock' }} />
      <Card title="Products">
        <Stack>
          <ProductAdder
            onForm={lines}
            onAdd={(chosen) => {
              hideUndo()
              add(chosen)
            }}
          />
          {lines.length === 0 ? (
            <Text c="dimmed">
              No products yet. Search for one above, scan its barcode, or select rows in Stock and choose Add
              to labels.
            </Text>
          ) : (
            <>
              <RowTable
                label="Products for labels"
                rows={lines}
                keyOf={({ variantId }) => variantId}
                columns={columns}
              />
              <Group justify="space-between" gap="xs">
                <Text role="status">
                  {many(lines.length, 'product')}, {many(total, 'label')}
                </Text>
                <Group gap="xs">
                  <Button
                    variant="default"
                    onClick={() => {
                      const cleared = lines
                      clear()
                      notifyUndoable(`${many(cleared.length, 'product')} removed`, () => restore(cleared))
                    }}
                  >
                    Remove all
                  </Button>
                  <PrintLabels
                    source={{
                      variantIds: lines.map(({ variantId }) => variantId),
                      quantities: lines.map(({ quantity }) => Number(quantity)),
                    }}
                    disabled={unready !== undefined || isTooMany}
                  />
                </Group>
              </Group>
              {unready && (
                <Text size="sm">Enter how many labels of {unready.title} to print, or remove it.</Text>
              )}
              {isTooMany && (
                <Text size="sm">Print at most {count(maxProducts)} products at once: remove some first.</Text>
              )}
            </>
          )}
        </Stack>
      </Card>
    </PageBody>
  )
}
