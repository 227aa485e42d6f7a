import { Button, Group, Stack, Text } from '@mantine/core'
import type { StockImportOutcome } from '../../../../../shared/schemas/stock-imports.ts'
import { Card } from '../../../components/layout/card.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { PagedTable } from '../../../components/tables/paged-table.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'

type Props = { result: StockImportOutcome; isBusy: boolean; onImport: () => void }

/** What the checked file changes: old and new quantity of each level. */
export function ImportChanges({ result, isBusy, onImport }: Props) {
  const { count, change, many } = useFormat()
  const { rows, changed, added, removed, changes } = result
  const pieces = [added, -removed].filter((sum) => sum !== 0).map(change)
  const text =
    rows === 0
      ? 'There are no rows below the header row. Add a row for each product.'
      : changed === 0
        ? 'All products of these rows have these quantities already.'
        : `${many(rows, 'row')}: ${many(changed, 'stock level')} to change, ${pieces.join(' and ')} pieces.`
  return (
    <Card title={changed > 0 ? 'Ready to import' : 'Nothing to change'}>
      <Stack>
        <Text role="status">{text}</Text>
        {changed > 0 && (
          <>
            <PagedTable
              label="What changes"
              rows={changes}
              keyOf={({ row }) => row}
              columns={[
                { name: 'Product', cell: ({ title, sku }) => <ProductName title={title} sku={sku} /> },
                { name: 'Location', cell: ({ locationName }) => locationName },
                {
                  name: 'Quantity',
                  isNumber: true,
                  cell: ({ previousQuantity, newQuantity }) =>
                    `${count(previousQuantity)} → ${count(newQuantity)}`,
                },
                {
                  name: 'Change',
                  isNumber: true,
                  cell: ({ previousQuantity, newQuantity }) => change(newQuantity - previousQuantity),
                },
              ]}
            />
            {changed > changes.length && (
              <Text size="sm">And {count(changed - changes.length)} more stock levels.</Text>
            )}
            <Group justify="flex-end">
              <Button onClick={onImport} loading={isBusy}>
                Import stock
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Card>
  )
}
