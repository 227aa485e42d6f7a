import { Text } from '@mantine/core'
import type { ReorderRule } from '../../../../shared/schemas/reorder-rules.ts'
import type { Variant } from '../../../../shared/schemas/variants.ts'
import { Card } from '../../components/layout/card.tsx'
import { TextLink } from '../../components/layout/link-button.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { type Column, RowTable } from '../../components/tables/row-table.tsx'
import { missingNumberReason, missingNumberText } from '../reorder/rules/computing.ts'

/** The reorder rules of a variant, and how the numbers of automatic ones come about. */
export function VariantRules({ variant: { variantId, rules } }: { variant: Variant }) {
  const { count } = useFormat()
  const columns: Column<ReorderRule>[] = [
    { name: 'Where', cell: ({ locationName }) => locationName ?? 'All locations' },
    { name: 'Available', cell: ({ currentStock }) => count(currentStock), isNumber: true },
    {
      name: 'Reorder point',
      cell: (rule) => missingNumberText(rule) ?? count(rule.reorderPoint),
      isNumber: true,
    },
    {
      name: 'Quantity',
      cell: (rule) => missingNumberText(rule) ?? count(rule.reorderQuantity),
      isNumber: true,
    },
    { name: 'Supplier', cell: ({ supplierName }) => supplierName ?? 'None' },
    { name: 'Why', cell: (rule) => <Why rule={rule} /> },
  ]
  return (
    <Card
      title="Reorder rules"
      isFlush={rules.length > 0}
      action={
        rules.length > 0 && (
          <TextLink to="/reorder/rules" search={{ variantId }} size="sm">
            Change
          </TextLink>
        )
      }
    >
      {rules.length === 0 ? (
        <Text c="dimmed">
          No rule:{' '}
          <TextLink to="/reorder" search={{}} inherit>
            Reorder
          </TextLink>{' '}
          does not suggest this product;{' '}
          <TextLink to="/replenishment" search={{}} inherit>
            Replenishment
          </TextLink>{' '}
          does, by its forecast.{' '}
          <TextLink to="/reorder/rules/new" search={{}} inherit>
            Create a rule
          </TextLink>
        </Text>
      ) : (
        <RowTable label="Reorder rules" columns={columns} rows={rules} keyOf={({ id }) => id} />
      )}
    </Card>
  )
}

function Why({ rule }: { rule: ReorderRule }) {
  const { count } = useFormat()
  const { mode, inputs } = rule
  if (mode === 'manual') return 'Entered by hand'
  if (!inputs) return <Text size="xs">{missingNumberReason(rule)}</Text>
  const number = (value: number) => count(Math.round(value * 100) / 100)
  if (inputs.method !== undefined) {
    return (
      <Text size="xs">
        {number(inputs.forecastUnits ?? 0)} forecast in {number(inputs.leadTimeDays)} days +{' '}
        {number(inputs.safetyStock)} safety stock
      </Text>
    )
  }
  return (
    <Text size="xs">
      {number(inputs.avgDailySales)} a day × ({number(inputs.leadTimeDays)} + {inputs.reviewDays} days) +{' '}
      {number(inputs.safetyStock)} safety stock
    </Text>
  )
}
