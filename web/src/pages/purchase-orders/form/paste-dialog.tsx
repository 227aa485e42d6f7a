import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import type { Added } from './added-lines.ts'
import { findSkus } from './find-skus.ts'
import { type Pasted, readPasted } from './pasted-lines.ts'

type Props = { isOpen: boolean; onAdd: (added: Added[]) => void; onClose: () => void }

/** Takes lines from a spreadsheet. What nobody knows is listed, and nothing of it is lost. */
export const PasteDialog = ({ isOpen, onAdd, onClose }: Props) => (
  <Modal
    opened={isOpen}
    onClose={onClose}
    title="Paste lines from a spreadsheet"
    size="lg"
    closeOnClickOutside={false}
  >
    <PasteForm onAdd={onAdd} onClose={onClose} />
  </Modal>
)

function PasteForm({ onAdd, onClose }: Omit<Props, 'isOpen'>) {
  const [text, setText] = useState('')
  const [left, setLeft] = useState<{ count: number; unknown: string[]; unread: string[] } | null>(null)
  const find = useMutation({
    mutationFn: async ({ lines }: Pasted) => findSkus(lines.map(({ sku }) => sku)),
  })

  async function add() {
    const pasted = readPasted(text)
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
    setLeft({ count: added.length, unknown: unknown.map(({ sku }) => sku), unread: pasted.unread })
    setText(
      [
        ...unknown.map(({ sku, quantity, costPrice }) => `${sku}\t${quantity}\t${costPrice}`),
        ...pasted.unread,
      ].join('\n'),
    )
  }

  return (
    <Stack>
      <Textarea
        label="Rows"
        description="SKU, quantity and cost of one piece, in this order. Rows copied from a spreadsheet fit as they are."
        placeholder={'MUG-STN-350\t24\t2.85'}
        autosize
        minRows={6}
        maxRows={14}
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div role="status">
        {left && (
          <>
            <Text>{left.count === 1 ? '1 line was added.' : `${left.count} lines were added.`}</Text>
            {left.unknown.length > 0 && (
              <Text>
                No product has {left.unknown.length === 1 ? 'this SKU' : 'these SKUs'}:{' '}
                {left.unknown.join(', ')}.
              </Text>
            )}
            {left.unread.length > 0 && (
              <Text>Not readable as SKU and quantity: {left.unread.join(' / ')}.</Text>
            )}
            {left.unknown.length + left.unread.length > 0 && (
              <Text>They are still above: correct them, or close this.</Text>
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
