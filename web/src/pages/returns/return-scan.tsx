import { Stack, Text, TextInput } from '@mantine/core'
import { IconBarcode } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { codeOf } from '../../components/scan/codes.ts'
import { findByCode } from '../../components/scan/find-by-code.ts'
import { MissedCodes } from '../../components/scan/missed-codes.tsx'
import { type CodeAnswer, useCodeQueue } from '../../components/scan/use-code-queue.ts'
import { useFormat } from '../../components/shop/format.ts'
import { type DraftLine, quantityOf, withScanned } from './draft.ts'

type Props = {
  lines: readonly DraftLine[]
  setLines: (change: (lines: readonly DraftLine[]) => readonly DraftLine[]) => void
}

/** Scans what goes back of a receipt: each scan adds a piece of its product, or those of a pack, up to what can go back. */
export function ReturnScan({ lines, setLines }: Props) {
  const { count, many } = useFormat()
  const [last, setLast] = useState('')
  const lastReason = useRef('')
  const field = useRef<HTMLInputElement>(null)
  // a second answer may come before the page has rendered the first one
  const newest = useRef(lines)
  newest.current = lines

  const scan = async (text: string): Promise<CodeAnswer> => {
    const found = await findOnLines(text, newest.current)
    const product = newest.current.find(({ variantId }) => variantId === found?.variantId)
    if (!found || !product)
      return { tone: 'wrong', reason: 'no product of this receipt that you can still return has this code.' }
    const { title, returnable } = product
    const scanned = withScanned(newest.current, found, lastReason.current)
    if (!scanned) {
      const left = (returnable ?? 0) - quantityOf(newest.current, found.variantId)
      return {
        tone: 'over',
        reason:
          left > 0
            ? `this pack has ${many(found.pieces, 'piece')}, but only ${count(left)} of ${title} can go back. Scan single pieces.`
            : `all ${count(returnable ?? 0)} of ${title} that can go back are scanned.`,
      }
    }
    newest.current = scanned.lines
    lastReason.current = scanned.line.reason || lastReason.current
    setLines((now) => withScanned(now, found, lastReason.current)?.lines ?? now)
    setLast(`${title}: ${count(scanned.total)} of ${count(returnable ?? 0)}`)
    return { tone: 'right' }
  }
  const codes = useCodeQueue(scan)
  return (
    <Stack gap={4}>
      <TextInput
        ref={field}
        label="Scan or type a barcode or SKU"
        leftSection={<IconBarcode size={20} aria-hidden />}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={200}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          codes.add(event.currentTarget.value)
          event.currentTarget.value = ''
        }}
      />
      <Text size="sm" role="status">
        {last}
      </Text>
      <MissedCodes queue={codes} onRemoved={() => field.current?.focus()} />
    </Stack>
  )
}

/** The product and the pieces of a scan: by the SKUs of the lines, else by the catalogue and its packs. */
async function findOnLines(text: string, lines: readonly DraftLine[]) {
  const code = codeOf(text)
  const bySku = new Set(lines.filter(({ sku }) => codeOf(sku) === code).map(({ variantId }) => variantId))
  const [variantId] = bySku
  if (variantId !== undefined && bySku.size === 1) return { variantId, pieces: 1 }
  const found = await findByCode(text)
  return found.find((product) => lines.some((line) => line.variantId === product.variantId))
}
