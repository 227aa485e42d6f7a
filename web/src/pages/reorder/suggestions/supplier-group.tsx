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
  isTicked: (suggestion: ReorderSuggestion) => boolean
  onTick: (ruleIds: readonly number[], isTicked: boolean) => void
}

/** What one supplier would be sent. */
export function SupplierGroup({ group, rows, columns, isTicked, onTick }: Props) {
  const { supplierId, supplierName, suggestions } = group
  const title = supplierId === null ? 'No supplier' : supplierName
  const tickable = suggestions.filter(canOrder)
  const ticked = tickable.filter(isTicked).length
  const all = tickable.length > 0 && (
    <Checkbox
      label="All"
      aria-label={`All from ${title}`}
      checked={ticked === tickable.length}
      indeterminate={ticked > 0 && ticked < tickable.length}
      onChange={(event) =>
        onTick(
          tickable.map(({ ruleId }) => ruleId),
          event.currentTarget.checked,
        )
      }
    />
  )
  return (
    <Card isFlush title={title} action={all}>
      {supplierId === null && (
        <div className={classes.note}>
          Nobody to order these from is known. Choose a supplier in their rules.
        </div>
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
