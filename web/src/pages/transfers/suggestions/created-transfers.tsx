import { CloseButton } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { TransferDrafts } from '../../../../../shared/schemas/transfer-suggestions.ts'
import { Card } from '../../../components/layout/card.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { RowLink } from '../../../components/tables/row-link.tsx'
import { RowTable } from '../../../components/tables/row-table.tsx'

type Props = { transfers: TransferDrafts['transfers']; onClose: () => void }

/** The created transfers. Takes the focus, since it appears above the clicked button. */
export function CreatedTransfers({ transfers, onClose }: Props) {
  const { many, count } = useFormat()
  const section = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for each new result
  useEffect(() => {
    section.current?.focus({ preventScroll: true })
    section.current?.scrollIntoView({ block: 'nearest' })
  }, [transfers])
  const title = `${many(transfers.length, 'transfer')} planned`
  return (
    <section ref={section} tabIndex={-1} aria-label={title}>
      <Card isFlush title={title} action={<CloseButton aria-label="Close results" onClick={onClose} />}>
        <RowTable
          label={title}
          rows={transfers}
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'Transfer',
              cell: ({ id }) => (
                <RowLink to="/transfers/$id" params={{ id }}>
                  #{id}
                </RowLink>
              ),
            },
            { name: 'From', cell: ({ sourceLocationName }) => sourceLocationName },
            { name: 'To', cell: ({ destinationLocationName }) => destinationLocationName },
            { name: 'Lines', cell: ({ itemCount }) => count(itemCount), isNumber: true },
            { name: 'Pieces', cell: ({ quantity }) => count(quantity), isNumber: true },
          ]}
        />
      </Card>
    </section>
  )
}
