import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import type { StockLevel } from '../../../../../shared/schemas/stock-levels.ts'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { hideUndo } from '../../../components/feedback/notify-undo.tsx'
import { PrintLabels } from '../../../components/labels/print-labels.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import type { Selection } from '../../../components/tables/list/use-selection.ts'
import { addLabels } from '../labels/label-lines.ts'
import { BulkDialog, type BulkMode } from './bulk-dialog.tsx'

/** The API's limit of levels in one request. */
const maxLevels = 1_000

type Props = { selection: Selection<StockLevel>; locationId: string | undefined }

/** The buttons for selected levels. */
export function LevelBulkActions({ selection, locationId }: Props) {
  const { count, many } = useFormat()
  const [mode, setMode] = useState<BulkMode | null>(null)
  const { rows } = selection
  const open = (next: BulkMode) => {
    hideUndo()
    setMode(next)
  }
  const isTooMany = rows.length > maxLevels
  const variantIds = [...new Set(rows.map(({ variantId }) => variantId))]
  const addToLabels = () => {
    const added = [...new Map(rows.map((row) => [row.variantId, row])).values()]
    const listed = addLabels(added.map(({ variantId, title, sku }) => ({ variantId, title, sku })))
    notifyDone(`${many(added.length, 'product')} added. ${many(listed, 'product')} listed in Labels`)
    selection.clear()
  }
  return (
    <>
      <Button size="xs" variant="default" disabled={isTooMany} onClick={() => open('set')}>
        Set quantity
      </Button>
      <Button size="xs" variant="default" disabled={isTooMany} onClick={() => open('adjust')}>
        Adjust by
      </Button>
      <Button size="xs" variant="default" onClick={addToLabels}>
        Add to labels
      </Button>
      <PrintLabels source={{ variantIds, ...(locationId && { locationId }) }} size="xs" />
      {isTooMany && <Text size="xs">Select at most {count(maxLevels)} rows to change them.</Text>}
      <BulkDialog
        mode={mode}
        levels={rows}
        onClose={() => setMode(null)}
        onDone={() => {
          setMode(null)
          selection.clear()
        }}
      />
    </>
  )
}
