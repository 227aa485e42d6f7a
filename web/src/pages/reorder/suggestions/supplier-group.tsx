import { Checkbox } from '@mantine/core'
import type { ReorderSuggestion } from '../../../../../shared/schemas/reorder-suggestions.ts'
import { Card } from '../../../components/layout/card.tsx'
import { type Column, RowTable } from '../../../components/tables/row-table.tsx'
import type { OpenRows } from './row-toggle.tsx'
import { SuggestionReason } from './suggested-product.tsx'
import { canOrder, type SuggestionGroup } from './suggestion-groups.ts'
import classes from './suggestion-list.module.css'

type Props = {
  group: SuggestionGroup
  rows: OpenRows
  columns: readonly Column<ReorderSuggestion>[]
  isSelected: (suggestion: ReorderSuggestion) => boolean
  onSelect: (ruleIds: readonly number[], isSelected: boolean) => void
}

export function SupplierGroup({ group, rows, columns, isSelected, onSelect }: Props) {
  const { supplierId, supplierName, suggestions } = group
  const title = supplierId === null ? 'No supplier' : supplierName
  const selectable = suggestions.filter(canOrder)
  const selected = selectable.filter(isSelected).length
  const all = selectable.length > 0 && (
    <Checkbox
      label="All"
      aria-label={`All from ${title}`}
      checked={selected === selectable.length}
      indeterminate={selected > 0 && selected < selectable.length}
      onChange={(event) =>
        onSelect(
          selectable.map(({ ruleId }) => ruleId),
          event.currentTarget.checked,
        )
      }
    />
  )
  return (
    <Card isFlush title={title} action={all}>
      {supplierId === null && (
        <div className={classes.note}>These have no supplier. Add one to order them.</div>
      )}
      <RowTable
        label={title}
        columns={columns}
        rows={suggestions}
        keyOf={({ ruleId }) => ruleId}
        detailOf={(suggestion) =>
          rows.isOpen(suggestion.ruleId) && <SuggestionReason suggestion={suggestion} />
        }
      />
    </Card>
  )
}
