import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { StockImport } from '../../../../../shared/schemas/stock-imports.ts'
import { ApiError } from '../../../api/api-error.ts'
import { listQuery, useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { DataList } from '../../../components/tables/data-list.tsx'

/** The files that changed stock, each with a way back. */
export function PastImports() {
  const { dateTime, count, change, many } = useFormat()
  const query = useInfiniteQuery(listQuery('GET /stock-imports', { query: {} }))
  const [undone, setUndone] = useState<StockImport | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const revert = useChange('POST /stock-imports/:id/revert', {
    onDone: ({ changed, skipped }) => {
      setUndone(null)
      const rest =
        skipped > 0
          ? ` ${many(skipped, 'stock level')} not changed: the product is no longer tracked, or the location is closed.`
          : ''
      notifyDone(`Reverted: ${many(changed, 'stock level')} changed back.${rest}`)
    },
  })
  const isShort = revert.error instanceof ApiError && revert.error.code === 'insufficient_stock'
  const close = () => {
    setUndone(null)
    revert.reset()
  }
  if (query.isPending || (query.data && !query.data.pages[0]?.records.length)) return null
  return (
    <>
      <DataList
        title="Past imports"
        label="Past imports"
        query={query}
        keyOf={({ id }) => id}
        empty={{ title: 'No imports yet', text: 'Files that you import are listed here.' }}
        columns={[
          { name: 'Import', cell: ({ id }) => `Stock import #${id}` },
          { name: 'When', cell: ({ createdAt }) => dateTime(createdAt) },
          { name: 'User', cell: ({ createdBy }) => `User ${createdBy}` },
          { name: 'Stock levels', isNumber: true, cell: ({ changed }) => count(changed) },
          {
            name: 'Pieces',
            isNumber: true,
            cell: ({ added, removed }) =>
              [added, -removed]
                .filter((sum) => sum !== 0)
                .map(change)
                .join(', '),
          },
          {
            name: 'Revert',
            isAction: true,
            cell: (past) =>
              past.revertedAt ? (
                `Reverted ${dateTime(past.revertedAt)}`
              ) : (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`Revert stock import #${past.id}`}
                  onClick={({ currentTarget }) => {
                    button.current = currentTarget
                    setUndone(past)
                  }}
                >
                  Revert
                </Button>
              ),
          },
        ]}
      />
      <Confirm
        isOpen={undone !== null}
        title={`Revert stock import #${undone?.id ?? ''}?`}
        confirm={isShort ? 'Revert anyway' : 'Revert import'}
        isDestructive
        isBusy={revert.isPending}
        error={isShort ? null : revert.error}
        onConfirm={() =>
          undone && revert.mutate({ params: { id: undone.id }, body: isShort ? { allowNegative: true } : {} })
        }
        onCancel={close}
        returnTo={button}
      >
        {isShort
          ? 'Some of the pieces that the import added are gone. Reverting it leaves negative stock there until you recount.'
          : `${many(undone?.changed ?? 0, 'stock level')} will change back by what the import added or removed. Sales and receipts since then stay.`}
      </Confirm>
    </>
  )
}
