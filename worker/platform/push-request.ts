import { createHash } from 'node:crypto'
import type { ClaimedPush, PushedLevel } from '../../shared/domain/ledgers/stock-pushes/claim.ts'
import type { AdminApi } from './admin-api.ts'
import { documents } from './documents.ts'
import type { QuantityChange } from './inventory-documents.ts'

/** Sends a claimed push. The request and its key are stored with the claim, so repeated sends are applied once. */
export async function sendPush(
  api: AdminApi,
  push: ClaimedPush,
  signal: AbortSignal,
): Promise<QuantityChange> {
  const { form, reason, request, idempotencyKey: key } = push
  const context = { name: 'available', reason, referenceDocumentUri: referenceOf(push) }
  if (form === 'adjust') {
    const input = { ...context, changes: request }
    const response = await api.query(documents.adjustQuantities, { key, input }, { signal })
    return response.inventoryAdjustQuantities
  }
  const quantities = request.map(({ delta, changeFromQuantity, ...level }) => ({
    ...level,
    changeFromQuantity,
    quantity: (changeFromQuantity ?? 0) + delta,
  }))
  const response = await api.query(
    documents.setQuantities,
    { key, input: { ...context, quantities } },
    { signal },
  )
  return response.inventorySetQuantities
}

/** Stocks items at the locations of these levels. Returns the platform's errors as one text, empty without one. */
export async function activate(
  api: AdminApi,
  { idempotencyKey }: ClaimedPush,
  levels: readonly PushedLevel[],
  signal: AbortSignal,
): Promise<string> {
  const errors: string[] = []
  for (const { inventoryItemId, locationId } of levels) {
    const key = keyFrom(`${idempotencyKey} ${inventoryItemId} ${locationId}`)
    const variables = { key, inventoryItemId, locationId }
    const { inventoryActivate } = await api.query(documents.activateInventory, variables, { signal })
    errors.push(...inventoryActivate.userErrors.map(({ message }) => message))
  }
  return [...new Set(errors)].join(' ')
}

/** The document that the platform's history shows with the change. */
function referenceOf({ id, reference }: ClaimedPush): string {
  const [table = '', number = ''] = reference === '' ? ['stock_push', String(id)] : reference.split('/')
  const type = table.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return `gid://quartermaster/${type}/${number}`
}

/** A UUID, as the platform requires, that is the same for the same text. */
function keyFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
