import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SupplierTwin } from '../../../../shared/schemas/imports.ts'
import { readQuery, useChange } from '../../api/queries.ts'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { Card } from '../../components/layout/card.tsx'
import { TextLink } from '../../components/layout/link-button.tsx'
import { type Column, RowTable } from '../../components/tables/row-table.tsx'

/** Suppliers that came with the import and look like another one, each with the offer to merge it. */
export function SupplierTwins({ importId }: { importId: number }) {
  const { data } = useQuery(readQuery('GET /imports/:id/twins', { params: { id: importId } }))
  const [asked, setAsked] = useState<SupplierTwin | null>(null)
  const merge = useChange('POST /suppliers/:id/merge', {
    onDone: ({ name }) => {
      setAsked(null)
      notifyDone(`Merged into ${name}`)
    },
  })
  if (!data || data.length === 0) return null
  const columns: Column<SupplierTwin>[] = [
    {
      name: 'New supplier',
      cell: ({ id, name }) => (
        <TextLink to="/suppliers/$id" params={{ id }} size="sm">
          {name}
        </TextLink>
      ),
    },
    {
      name: 'May be the same as',
      cell: ({ twinId, twinName }) => (
        <TextLink to="/suppliers/$id" params={{ id: twinId }} size="sm">
          {twinName}
        </TextLink>
      ),
    },
    {
      name: 'Merge',
      isAction: true,
      cell: (twin) => (
        <Button size="xs" variant="default" aria-label={`Merge ${twin.name}`} onClick={() => setAsked(twin)}>
          Merge
        </Button>
      ),
    },
  ]
  return (
    <Card title="Suppliers that may be the same" isFlush>
      <RowTable label="Suppliers that may be the same" rows={data} keyOf={({ id }) => id} columns={columns} />
      <Confirm
        isOpen={asked !== null}
        title={`Merge ${asked?.name ?? ''} into ${asked?.twinName ?? ''}?`}
        confirm="Merge"
        isDestructive
        isBusy={merge.isPending}
        error={merge.error}
        onConfirm={() => asked && merge.mutate({ params: { id: asked.id }, body: { intoId: asked.twinId } })}
        onCancel={() => setAsked(null)}
      >
        <Text size="sm">
          Orders, reorder rules, contacts and products of {asked?.name} go to {asked?.twinName}, which keeps
          its own details. This cannot be undone, and merged orders stay when you revert the import.
        </Text>
      </Confirm>
    </Card>
  )
}
