import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { PrintLabels } from '../../../components/labels/print-labels.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { useFormat } from '../../../components/shop/format.ts'

/** The products selected for labels. */
export type Selection = {
  variantIds: ReadonlySet<string>
  toggle: (variantId: string) => void
  clear: () => void
}

export function useSelection(): Selection {
  const [variantIds, setVariantIds] = useState<ReadonlySet<string>>(new Set())
  return {
    variantIds,
    toggle: (variantId) =>
      setVariantIds((now) => {
        const next = new Set(now)
        if (!next.delete(variantId)) next.add(variantId)
        return next
      }),
    clear: () => setVariantIds(new Set()),
  }
}

/** What to do with the selected products. */
export function SelectionBar({
  selection: { variantIds, clear },
  locationId,
}: {
  selection: Selection
  locationId: string | undefined
}) {
  const { many } = useFormat()
  if (variantIds.size === 0) return null
  return (
    <Card>
      <Group justify="space-between" gap="xs">
        <Text role="status">{many(variantIds.size, 'product')} selected</Text>
        <Group gap="xs">
          <Button variant="default" onClick={clear}>
            Clear
          </Button>
          <PrintLabels source={{ variantIds: [...variantIds], ...(locationId && { locationId }) }} />
        </Group>
      </Group>
    </Card>
  )
}
