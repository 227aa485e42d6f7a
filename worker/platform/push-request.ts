import { createHash } from 'node:crypto'
import type { ClaimedPush, PushedLevel } from '../../shared/domain/stock-pushes/claim.ts'
import type { AdminApi } from './admin-api.ts'
import { documents } from './documents.ts'
import type { QuantityChange } from './inventory-documents.ts'

/** Asks the platform to take a change, in the words and with the key of its claim: so it takes it once. */
export async function sendPush(
  api: AdminApi,
  push: ClaimedPush,
  signal: AbortSignal,
): Promise<QuantityChange> {
  const { form, reason, request, idempotencyKey: key } = push
  const cause = { name: 'available', reason, referenceDocumentUri: referenceOf(push) }
  if (form === 'adjust') {
    const input = { ...cause, changes: request }
    const answer = await api.query(documents.adjustQuantities, { key, input }, { signal })
    return answer.inventoryAdjustQuantities
  }
  const quantities = request.map(({ delta, changeFromQuantity, ...place }) => ({
    ...place,
    changeFromQuantity,
    quantity: (changeFromQuantity ?? 0) + delta,
  }))
  const answer = await api.query(
    documents.setQuantities,
    { key, input: { ...cause, quantities } },
    { signal },
  )
  return answer.inventorySetQuantities
}

/**
 * Has items stocked where a change needs them. Answers what the platform objects to; where that matters, the change
 * is refused again.
 */
export async function activate(
  api: AdminApi,
  { idempotencyKey }: ClaimedPush,
  levels: readonly PushedLevel[],
  signal: AbortSignal,
): Promise<string> {
  const objections: string[] = []
  for (const { inventoryItemId, locationId } of levels) {
    const key = keyFrom(`${idempotencyKey} ${inventoryItemId} ${locationId}`)
    const variables = { key, inventoryItemId, locationId }
    const { inventoryActivate } = await api.query(documents.activateInventory, variables, { signal })
    objections.push(...inventoryActivate.userErrors.map(({ message }) => message))
  }
  return [...new Set(objections)].join(' ')
}

/** What the merchant sees beside the change in the platform's history. */
function referenceOf({ id, reference }: ClaimedPush): string {
  const [table = '', number = ''] = reference === '' ? ['stock_push', String(id)] : reference.split('/')
  const type = table.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return `gid://quartermaster/${type}/${number}`
}

/** The same key whenever this is asked, in the form that the platform wants: a UUID. */
function keyFrom(words: string): string {
  const hex = createHash('sha256').update(words).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
