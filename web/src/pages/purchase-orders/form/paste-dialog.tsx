import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import type { AddedLine } from './added-lines.ts'
import { findSkus } from './find-skus.ts'
import { type Pasted, readPasted } from './pasted-lines.ts'

type Props = {
  isOpen: boolean
  /** Its last price is the cost of a row without one. */
  supplierId: number | null
  onAdd: (added: AddedLine[]) => void
  onClose: () => void
}

/** Adds lines pasted from a spreadsheet. Rows that fail stay in the field, each with its reason. */
export const PasteDialog = ({ isOpen, supplierId, onAdd, onClose }: Props) => (
  <Modal
    opened={isOpen}
    onClose={onClose}
    title="Paste lines from a spreadsheet"
    size="lg"
    closeOnClickOutside={false}
  >
    <PasteForm supplierId={supplierId} onAdd={onAdd} onClose={onClose} />
  </Modal>
)

function PasteForm({ supplierId, onAdd, onClose }: Omit<Props, 'isOpen'>) {
  const { decimalSeparator } = useFormat()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState('')
  const [result, setResult] = useState<{ count: number; unknown: string[]; unread: string[] } | null>(null)
  const find = useMutation({
    mutationFn: async ({ lines }: Pasted) =>
      findSkus(
        lines.map(({ sku }) => sku),
        supplierId,
      ),
  })

  async function add() {
    const pasted = readPasted(text, decimalSeparator)
    const variants = await find.mutateAsync(pasted).catch(() => null)
    if (!variants) return
    const variantOf = (sku: string) => variants.get(sku.toLowerCase())
    const added = pasted.lines.flatMap(({ sku, quantity, costPrice }) => {
      const variant = variantOf(sku)
      return variant ? [{ variant, quantity, costPrice }] : []
    })
    onAdd(added)
    const unknown = pasted.lines.filter(({ sku }) => !variantOf(sku))
    if (unknown.length === 0 && pasted.unread.length === 0 && added.length > 0) return onClose()
    setResult({ count: added.length, unknown: unknown.map(({ sku }) => sku), unread: pasted.unread })
    setText(
      [
        ...unknown.map(({ sku, quantity, costPrice }) => `${sku}\t${quantity}\t${costPrice}`),
        ...pasted.unread,
      ].join('\n'),
    )
    // the rows are mended next
    field.current?.focus()
  }

  return (
    <Stack>
      <Textarea
        ref={field}
        label="Rows"
        description="SKU, quantity and unit cost, in this order. You can paste rows copied from a spreadsheet."
        placeholder={'MUG-STN-350\t24\t2.85'}
        autosize
        minRows={6}
        maxRows={14}
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div role="status">
        {result && (
          <>
            <Text>{result.count === 1 ? '1 line added.' : `${result.count} lines added.`}</Text>
            {result.unknown.length > 0 && (
              <Text>
                No product has {result.unknown.length === 1 ? 'this SKU' : 'these SKUs'}:{' '}
                {result.unknown.join(', ')}.
              </Text>
            )}
            {result.unread.length > 0 && (
              <Text>No SKU and quantity found in: {result.unread.join(' / ')}.</Text>
            )}
            {result.unknown.length + result.unread.length > 0 && (
              <Text>These rows are still in the field above. Correct them, or close this dialog.</Text>
            )}
          </>
        )}
      </div>
      {find.error && <ErrorNotice error={find.error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button onClick={add} loading={find.isPending} disabled={text.trim() === ''}>
          Add lines
        </Button>
      </Group>
    </Stack>
  )
}
