import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { FormLock } from '../../../components/forms/form-lock.tsx'
import { useLookup } from '../../../components/forms/lookups.ts'
import { useFormat } from '../../../components/shop/format.ts'
import type { AddedLine } from './added-lines.ts'
import { findSkus } from './find-skus.ts'
import { type Match, type SameSku, sortFound } from './found-lines.ts'
import { type Pasted, readPasted } from './pasted-lines.ts'
import { SameSkuChoice } from './same-sku-choice.tsx'

type Props = {
  isOpen: boolean
  /** Its last price is the cost of a row without one. */
  supplierId: number | null
  onAdd: (added: AddedLine[]) => void
  onClose: () => void
}

/**
 * Adds lines pasted from a spreadsheet. Rows that fail stay in the field, each with its reason; a SKU of
 * several products is asked for.
 */
export const PasteDialog = ({ isOpen, supplierId, onAdd, onClose }: Props) => (
  <Modal
    opened={isOpen}
    onClose={onClose}
    title="Paste lines from a spreadsheet"
    size="lg"
    closeOnClickOutside={false}
  >
    {isOpen && <PasteForm supplierId={supplierId} onAdd={onAdd} onClose={onClose} />}
  </Modal>
)

type Result = { count: number; unknown: string[]; unread: string[] }

function PasteForm({ supplierId, onAdd, onClose }: Omit<Props, 'isOpen'>) {
  const { decimalSeparator, many } = useFormat()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState('')
  const [same, setSame] = useState<readonly SameSku[]>([])
  const [result, setResult] = useState<Result | null>(null)
  const find = useMutation({
    mutationFn: async ({ lines }: Pasted) =>
      findSkus(
        lines.map(({ sku }) => sku),
        supplierId,
      ),
  })
  useLookup(find.isPending ? many(find.variables.lines.length, 'code') : null)

  function add() {
    const pasted = readPasted(text, decimalSeparator)
    // not called after the dialog is closed
    find.mutate(pasted, { onSuccess: (found) => addFound(pasted, found) })
  }

  function addFound(pasted: Pasted, found: ReadonlyMap<string, Match>) {
    const { decided, unknown, undecided } = sortFound(pasted, found, same)
    onAdd(decided)
    const isDone = unknown.length + pasted.unread.length + undecided.length === 0
    if (isDone && decided.length > 0) return onClose()
    setSame(undecided)
    setResult({ count: decided.length, unknown: unknown.map(({ sku }) => sku), unread: pasted.unread })
    // as it was pasted: a number written anew could be read as another one
    setText([...unknown.map((line) => line.text), ...pasted.unread].join('\n'))
    // the rows are mended next
    if (unknown.length + pasted.unread.length > 0) field.current?.focus()
  }

  const hasChosen = same.some(({ variantId }) => variantId !== null)
  return (
    <Stack>
      <Textarea
        ref={field}
        label="Rows"
        description="SKU or barcode, quantity and unit cost, in this order. You can paste rows copied from a spreadsheet."
        placeholder={'MUG-STN-350\t24\t2.85'}
        autosize
        minRows={6}
        maxRows={14}
        data-autofocus
        value={text}
        readOnly={find.isPending}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div role="status">{result && <PasteResult {...result} undecided={same.length} />}</div>
      <FormLock isBusy={find.isPending}>
        {same.map((one) => (
          <SameSkuChoice
            key={one.match.code}
            value={one}
            onChoose={(variantId) =>
              setSame((now) =>
                now.map((other) => (other.match === one.match ? { ...other, variantId } : other)),
              )
            }
          />
        ))}
      </FormLock>
      {find.error && <ErrorNotice error={find.error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button onClick={add} loading={find.isPending} disabled={text.trim() === '' && !hasChosen}>
          Add lines
        </Button>
      </Group>
    </Stack>
  )
}

function PasteResult({ count, unknown, unread, undecided }: Result & { undecided: number }) {
  return (
    <>
      <Text>{count === 1 ? '1 line added.' : `${count} lines added.`}</Text>
      {unknown.length > 0 && (
        <Text>
          No product has {unknown.length === 1 ? 'this SKU' : 'these SKUs'}: {unknown.join(', ')}.
        </Text>
      )}
      {unread.length > 0 && <Text>No SKU and quantity found in: {unread.join(' / ')}.</Text>}
      {unknown.length + unread.length > 0 && (
        <Text>These rows are still in the field above. Correct them, or close this dialog.</Text>
      )}
      {undecided > 0 && (
        <Text>
          {undecided === 1 ? '1 SKU belongs' : `${undecided} SKUs belong`} to several products. Choose below,
          then press Add lines.
        </Text>
      )}
    </>
  )
}
