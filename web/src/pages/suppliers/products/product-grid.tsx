import { ActionIcon, Text } from '@mantine/core'
import { IconHistory, IconPencil, IconTrash } from '@tabler/icons-react'
import { type KeyboardEvent, useRef } from 'react'
import { useFormat } from '../../../components/shop/format.ts'
import { ProductName } from '../../../components/tables/product-name.tsx'
import { Badge } from '../../../components/tables/status-badge.tsx'
import {
  cellText,
  type Draft,
  type GridField,
  type GridRow,
  gridColumns,
  otherPrice,
  withCell,
  withPaste,
} from './grid-columns.ts'
import classes from './product-grid.module.css'

type Props = {
  rows: readonly GridRow[]
  draft: Draft
  onChange: (update: (draft: Draft) => Draft) => void
  /** Messages by row key and field; the field `row` is for the whole row. */
  faults: Readonly<Record<string, string>>
  onDetails: (row: GridRow) => void
  onPrices: (row: GridRow) => void
  onRemove: (row: GridRow) => void
}

/**
 * A grid of inputs. Tab goes to the next cell; Enter, Shift+Enter and the arrow keys go to the cell below, above, or
 * beside when the caret is at the edge of the text. A paste of several cells fills the grid from the focused one.
 */
export function ProductGrid({ rows, draft, onChange, faults, onDetails, onPrices, onRemove }: Props) {
  const { decimalSeparator } = useFormat()
  const table = useRef<HTMLTableElement>(null)
  const focus = (row: number, column: number): boolean => {
    const cell = table.current?.querySelector<HTMLInputElement>(`[data-cell="${row}/${column}"]`)
    cell?.focus()
    cell?.select()
    return cell !== null && cell !== undefined
  }
  const move = (event: KeyboardEvent<HTMLInputElement>, row: number, column: number) => {
    const { selectionStart, selectionEnd, value } = event.currentTarget
    const isAllSelected = selectionStart === 0 && selectionEnd === value.length
    const isAtStart = isAllSelected || selectionEnd === 0
    const isAtEnd = isAllSelected || selectionStart === value.length
    const moves: Record<string, readonly [number, number] | false> = {
      Enter: [row + (event.shiftKey ? -1 : 1), column],
      ArrowDown: [row + 1, column],
      ArrowUp: [row - 1, column],
      ArrowLeft: isAtStart && [row, column - 1],
      ArrowRight: isAtEnd && [row, column + 1],
    }
    const target = moves[event.key]
    if (!target) return
    if (focus(target[0], target[1]) || event.key === 'Enter') event.preventDefault()
  }
  return (
    <table ref={table} className={classes.grid} aria-label="Products of this supplier">
      <thead>
        <tr>
          <th scope="col">Product</th>
          {gridColumns.map(({ name, isNumber }) => (
            <th key={name} scope="col" data-number={isNumber || undefined}>
              {name}
            </th>
          ))}
          <th scope="col">
            <span className={classes.hidden}>Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={row.key} data-new={row.product === null || undefined}>
            <th scope="row">
              <ProductName title={row.title} sku={row.sku} variantId={row.variantId} />
              {row.product?.isActive === false && <Badge look={['Inactive', 'quiet']} />}
              <Fault id={`${row.key}-row`} text={faults[`${row.key}/row`]} />
            </th>
            {gridColumns.map(({ field, name, isNumber }, column) => {
              const fault = faults[`${row.key}/${field}`]
              const faultId = `${row.key}-${field}`
              return (
                <td key={field} data-name={name}>
                  <input
                    className={classes.cell}
                    data-cell={`${at}/${column}`}
                    data-number={isNumber || undefined}
                    data-changed={draft[row.key]?.[field] !== undefined || undefined}
                    aria-label={`${name} of ${row.title}`}
                    aria-invalid={fault !== undefined}
                    aria-describedby={fault === undefined ? undefined : faultId}
                    inputMode={isNumber ? 'decimal' : 'text'}
                    value={cellText(row, draft, field, decimalSeparator)}
                    placeholder={placeholders[field]}
                    maxLength={200}
                    autoComplete="off"
                    onChange={(event) => {
                      const text = event.currentTarget.value
                      onChange((now) => withCell(now, row, field, text, decimalSeparator))
                    }}
                    onKeyDown={(event) => move(event, at, column)}
                    onPaste={(event) => {
                      const text = event.clipboardData.getData('text/plain')
                      if (!/[\t\n]/.test(text.trimEnd())) return
                      event.preventDefault()
                      onChange((now) => withPaste(now, rows, { row: at, column }, text, decimalSeparator))
                    }}
                  />
                  {field === 'price' && <PriceCurrency row={row} />}
                  <Fault id={faultId} text={fault} />
                </td>
              )
            })}
            <td className={classes.actions}>
              {row.product && (
                <>
                  <ActionIcon
                    variant="subtle"
                    color="dark.6"
                    aria-label={`Details of ${row.title}`}
                    onClick={() => onDetails(row)}
                  >
                    <IconPencil size={18} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="dark.6"
                    aria-label={`Prices of ${row.title}`}
                    onClick={() => onPrices(row)}
                  >
                    <IconHistory size={18} />
                  </ActionIcon>
                </>
              )}
              <ActionIcon
                variant="subtle"
                color="dark.6"
                aria-label={`Remove ${row.title}`}
                onClick={() => onRemove(row)}
              >
                <IconTrash size={18} />
              </ActionIcon>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const placeholders: Partial<Record<GridField, string>> = {
  minimumQuantity: 'none',
  leadTimeDays: 'supplier’s',
}

function PriceCurrency({ row }: { row: GridRow }) {
  const { costIn } = useFormat()
  const other = otherPrice(row)
  return (
    <span className={classes.currency}>
      {row.currency}
      {other && <> · today {costIn(other.price ?? 0, other.currency)}</>}
    </span>
  )
}

const Fault = ({ id, text }: { id: string; text: string | undefined }) =>
  text === undefined ? null : (
    <Text id={id} size="xs" c="#b3261e">
      {text}
    </Text>
  )
