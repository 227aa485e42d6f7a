import { createHash } from 'node:crypto'
import {
  type ImportedDirectLine,
  type ImportedDirectReceipt,
  storeDirectReceipts,
} from '../../../documents/receipts/imported/direct.ts'
import { readerOf, type SourceRow, type Unit, type UnitWriter } from '../load.ts'
import { type Places, readLocations } from '../locations.ts'
import { readSuppliers, type SupplierIndex } from '../match-suppliers.ts'
import type { VariantMatcher } from '../match-variants.ts'
import { isReceiptLine, skippedReason } from '../orders/read/receipts.ts'
import type { Outcome } from '../outcomes.ts'

type Line = ImportedDirectLine & { position: number }
type Read = { rows: SourceRow[]; receipt: ImportedDirectReceipt; lines: Line[] }

/**
 * Goods that came without an order, from our own export. As with imported receipts of orders no stock moves and no cost is
 * booked. The same receipt again changes nothing.
 */
export const writeDirectReceipts: UnitWriter = async (tx, terms, units, match) => {
  const outcomes: Outcome[] = []
  const suppliers = await readSuppliers(tx, terms.shopId)
  const places = await readLocations(tx, terms)
  const reads = units.flatMap((unit) => read(unit, match, suppliers, places, outcomes))
  const lines = reads.flatMap(({ receipt: { fingerprint }, lines: own }) =>
    own.map((line) => ({ ...line, fingerprint })),
  )
  const receipts = reads.map(({ receipt }) => receipt)
  const stored = await storeDirectReceipts(tx, terms.shopId, terms.actor, receipts, lines)
  const idOf = new Map(stored.map((each) => [each.fingerprint, each]))
  for (const { rows, receipt } of reads) {
    const { id: targetId = null, isNew = false } = idOf.get(receipt.fingerprint) ?? {}
    for (const { position } of rows)
      outcomes.push({ position, state: isNew ? 'new' : 'same', target: 'receipt', targetId })
  }
  return {
    outcomes,
    made: stored.flatMap(({ id, isNew }) =>
      isNew ? [{ target: 'receipt', targetId: id, version: 1 } as const] : [],
    ),
  }
}

function read(
  { rows }: Unit,
  match: VariantMatcher,
  suppliers: SupplierIndex,
  places: Places,
  outcomes: Outcome[],
): Read[] {
  const leave = (state: 'fault' | 'skipped', message: string): [] => {
    for (const { position } of rows) outcomes.push({ position, state, message })
    return []
  }
  const head = rows.find((each) => !isReceiptLine(each))
  if (!head) return leave('skipped', 'The list of receipts does not have this receipt.')
  const reason = skippedReason(head)
  if (reason) return leave('skipped', reason)
  const cells = readerOf(head)
  const at = cells.day('receivedAt', 'Received') ?? cells.day('createdAt', 'Created')
  const name = cells.text('supplier', 200)
  const supplier = name === '' ? null : suppliers.find('', name)
  const locationId = places.find(cells.text('location', 200))
  if (cells.faults[0] || at === null) return leave('fault', cells.faults[0] ?? 'The receipt has no date.')
  if (name !== '' && supplier === null)
    return leave('fault', `No supplier is called ${name}. Import the suppliers first.`)
  if (supplier && 'fault' in supplier) return leave('fault', supplier.fault)
  if (!locationId) return leave('fault', `No location is called ${cells.text('location', 200)}.`)
  const lines = rows.filter(isReceiptLine).map((each) => readLine(each, match))
  const fault = lines.find((line) => typeof line === 'string')
  if (lines.length === 0) return leave('skipped', 'The receipt has no lines.')
  if (typeof fault === 'string') return leave('fault', fault)
  const receipt = {
    location_id: locationId,
    supplier_id: supplier?.id ?? null,
    at,
    delivery_note: cells.text('deliveryNote', 200),
    notes: cells.lines('notes', 5_000),
  }
  const content = JSON.stringify([
    at,
    receipt,
    lines.map((line) => typeof line !== 'string' && { ...line, position: 0 }),
  ])
  const fingerprint = createHash('sha256').update(`import/direct/${content}`).digest('hex')
  return [
    { rows, receipt: { ...receipt, fingerprint }, lines: lines.filter((line) => typeof line !== 'string') },
  ]
}

function readLine(each: SourceRow, match: VariantMatcher): Line | string {
  const cells = readerOf(each)
  const quantity = cells.number('accepted', 'Quantity')
  const cost = cells.number('cost', 'Unit cost')
  const place = cells.number('line', 'Line') ?? 0
  const variant = match(each)
  const [fault] = cells.faults
  if (fault) return fault
  if ('fault' in variant) return variant.fault
  if (quantity === null || quantity < 1 || !Number.isInteger(quantity))
    return 'The quantity must be a whole number above 0.'
  return {
    position: each.position,
    place,
    variant_id: variant.id,
    sku: cells.text('sku', 255) || variant.sku,
    title: cells.text('lineTitle', 500) || variant.title,
    quantity,
    cost,
  }
}
