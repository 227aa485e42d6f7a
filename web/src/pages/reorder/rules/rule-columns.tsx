import { ActionIcon, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { ReorderRule } from '../../../../../shared/schemas/reorder-rules.ts'
import type { Format } from '../../../components/shop/formats.ts'
import type { Column } from '../../../components/tables/row-table.tsx'
import { VariantLink } from '../../../components/tables/variant-link.tsx'
import { type OpenRows, RowToggle } from '../suggestions/row-toggle.tsx'
import type { RuleQuery } from './change-rule.ts'
import { missingNumberText } from './computing.ts'
import { RuleMode, RuleSupplier } from './rule-choices.tsx'
import classes from './rule-list.module.css'
import { RuleNumber } from './rule-number.tsx'

type Options = {
  format: Format
  query: RuleQuery
  rows: OpenRows
  onDelete: (rule: ReorderRule) => void
}

/** The columns of a rule, with its fields editable in place. */
export function ruleColumns({ format, query, rows, onDelete }: Options): Column<ReorderRule>[] {
  const number = (field: 'reorderPoint' | 'reorderQuantity', name: string): Column<ReorderRule> => ({
    name,
    isNumber: true,
    width: 128,
    cell: (rule) => {
      if (rule.mode === 'manual') return <RuleNumber rule={rule} query={query} field={field} name={name} />
      return missingNumberText(rule) ?? format.count(rule[field])
    },
  })
  return [
    {
      name: 'Product',
      cell: (rule) => (
        <div className={classes.product}>
          <Text size="sm" fw={600}>
            <VariantLink variantId={rule.variantId}>{rule.title}</VariantLink>
          </Text>
          <Text size="xs" c="dimmed" span>
            {[rule.sku || 'no SKU', rule.locationName ?? 'all locations'].join(' · ')}
          </Text>{' '}
          {rule.mode === 'auto' && (
            <RowToggle
              id={rule.id}
              name="How this is calculated"
              about={rule.title}
              isOpen={rows.isOpen(rule.id)}
              onToggle={rows.toggle}
            />
          )}
        </div>
      ),
    },
    { name: 'Available', cell: ({ currentStock }) => format.count(currentStock), isNumber: true, width: 96 },
    { name: 'Mode', cell: (rule) => <RuleMode rule={rule} query={query} />, width: 156 },
    number('reorderPoint', 'Reorder point'),
    number('reorderQuantity', 'Quantity'),
    {
      name: 'Up to',
      cell: (rule) => <RuleNumber rule={rule} query={query} field="maxLevel" name="Maximum level" />,
      isNumber: true,
      width: 128,
    },
    {
      name: 'Supplier',
      cell: (rule) => (
        <div className={classes.supplier}>
          <RuleSupplier rule={rule} query={query} />
        </div>
      ),
      width: 200,
    },
    {
      name: 'Delete',
      isAction: true,
      cell: (rule) => (
        <ActionIcon
          variant="subtle"
          color="dark.6"
          size="lg"
          aria-label={`Delete the rule of ${rule.title}`}
          onClick={() => onDelete(rule)}
        >
          <IconTrash size={18} />
        </ActionIcon>
      ),
      width: 66,
    },
  ]
}
