import { Button, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { Card } from '../../layout/card.tsx'
import { useFormat } from '../../shop/format.ts'
import { PagedTable } from '../../tables/paged-table.tsx'
import { ProductName } from '../../tables/product-name.tsx'
import type { GoodsDraft } from './draft.ts'
import { EditDialog, type EditWords } from './edit-dialog.tsx'
import { extraOf, type GoodsRow, type GoodsState, goodsRows } from './state.ts'

type Props = { draft: GoodsDraft; state: GoodsState; words: EditWords }

/** What is expected and what is counted of each line. */
export function GoodsRows({ draft, state, words }: Props) {
  const [edited, setEdited] = useState<GoodsRow | null>(null)
  const opener = useRef<HTMLButtonElement | null>(null)
  const { last } = state
  return (
    <Card isFlush title="Products">
      <PagedTable
        label="Products"
        rows={goodsRows(state)}
        keyOf={({ lineId }) => lineId}
        marked={last ? { key: last.product.lineId, turn: last.turn } : undefined}
        columns={[
          { name: 'Product', cell: (row) => <ProductName title={row.title} sku={row.sku} bin={row.bin} /> },
          { name: 'Expected', cell: (row) => <Expected row={row} />, isNumber: true },
          {
            name: words.accepted,
            isNumber: true,
            cell: (row) => <Counted row={row} words={words} />,
          },
          {
            name: 'Actions',
            isAction: true,
            isNumber: true,
            cell: (row) => (
              <Button
                variant="default"
                mih={44}
                aria-label={`Edit ${row.title}`}
                onClick={({ currentTarget }) => {
                  opener.current = currentTarget
                  setEdited(row)
                }}
              >
                Edit
              </Button>
            ),
          },
        ]}
      />
      {edited && (
        <EditDialog
          key={edited.lineId}
          row={edited}
          words={words}
          codes={state.document.codes}
          onSave={(counted) => {
            draft.set(edited, counted)
            setEdited(null)
          }}
          onCancel={() => setEdited(null)}
          returnTo={opener}
        />
      )}
    </Card>
  )
}

function Expected({ row: { outstanding, note } }: { row: GoodsRow }) {
  const { count } = useFormat()
  return (
    <div>
      {count(outstanding)}
      {note && (
        <Text size="xs" c="#7a4a00">
          {note}
        </Text>
      )}
    </div>
  )
}

function Counted({ row, words }: { row: GoodsRow; words: EditWords }) {
  const { count, cost } = useFormat(words.currency)
  const extra = extraOf(row)
  return (
    <div>
      <Text size="sm" fw={600}>
        {count(row.accepted)}
      </Text>
      {extra > 0 && (
        <Text size="xs" c="#7a4a00">
          {count(extra)} more than expected
        </Text>
      )}
      {row.rejected > 0 && (
        <Text size="xs" c="var(--mantine-color-error)">
          {count(row.rejected)} {words.rejected?.toLowerCase()}
          {row.reason && `: ${row.reason}`}
        </Text>
      )}
      {row.unitCost != null && <Text size="xs">{cost(row.unitCost)} paid</Text>}
    </div>
  )
}
