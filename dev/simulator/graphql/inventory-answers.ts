import type { GraphQLResolveInfo } from 'graphql'
import { allows } from '../shops/scopes.ts'
import { instant } from '../shops/seed.ts'
import type { LevelKey, QuantityName } from '../shops/stock.ts'
import { findPriorUse, readKey, storeResponse } from './idempotency.ts'
import { type UserError, userError } from './inventory-checks.ts'
import { fail, type View, type ViewContext } from './view.ts'

/** The name of the changed quantity, the reason, and the document that the change refers to. */
export type Cause = { name: string; reason: string; referenceDocumentUri?: string | null }

/** The changes that a call made, or the errors that prevented all of them. */
export type Outcome = { made: Made[]; errors: UserError[] }
export type Made = {
  key: LevelKey
  delta: number
  after: number
  /** The other quantity that moved with it: available and on hand move together. */
  also?: { name: QuantityName; after: number }
}

/** The stored result of a call, returned again for the same idempotency key. */
export type MutationResult = Outcome & { id: string; at: string }

/** A fault that makes a call fail with an error of its idempotency key. */
export type KeyFault = 'concurrent' | 'previous-failed' | undefined

const keyErrors = {
  concurrent: ['IDEMPOTENCY_CONCURRENT_REQUEST', 'This request is currently in progress, please try again.'],
  'previous-failed': [
    'IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED',
    'A previous request with this idempotency key failed. Retry with a new idempotency key.',
  ],
  mismatch: [
    'IDEMPOTENCY_KEY_PARAMETER_MISMATCH',
    'The same idempotency key cannot be used with different operation parameters.',
  ],
} as const

const keyError = (name: keyof typeof keyErrors): MutationResult => {
  const [code, message] = keyErrors[name]
  return { id: '', at: '', made: [], errors: [userError(code, null, message)] }
}

/**
 * Runs `work` once per idempotency key of the shop. A repeated request gets the stored result; another request with
 * the same key gets an error. Throws when the app may not change stock, or sends no key.
 */
export function runOnce(
  { shop, scopes }: ViewContext,
  keyFault: KeyFault,
  info: GraphQLResolveInfo,
  request: unknown,
  work: () => Outcome,
): MutationResult {
  if (!allows(scopes, 'write_inventory')) {
    const required = 'Required access: `write_inventory` access scope.'
    throw fail('ACCESS_DENIED', `Access denied for ${info.fieldName} field. ${required}`)
  }
  const key = readKey(info)
  if (keyFault) return keyError(keyFault)
  const keyedRequest = [info.fieldName, request]
  const priorUse = findPriorUse<MutationResult>(shop.state.remembered, key, keyedRequest)
  if (priorUse.kind === 'same') return priorUse.answer
  if (priorUse.kind === 'mismatch') return keyError('mismatch')
  const result = { id: shop.nextId(), at: instant(new Date()), ...work() }
  storeResponse(shop.state.remembered, key, keyedRequest, result)
  shop.changed()
  return result
}

type ChangesFilter = { inventoryItemIds?: string[]; locationIds?: string[]; quantityNames?: string[] }

/** The payload of a quantity change: the changes, or the errors. */
export function groupView({ shop, views }: ViewContext, result: MutationResult, cause: Cause): View {
  const { id, at, made, errors: userErrors } = result
  if (userErrors.length > 0) return { inventoryAdjustmentGroup: null, userErrors }
  const { name, reason, referenceDocumentUri = null } = cause
  const change = ({ key, delta }: Made, changed: string, after: number) => {
    const [item, location] = [views.item(key.item), views.location(key.location)]
    return { name: changed, delta, quantityAfterChange: after, item, location, ledgerDocumentUri: null }
  }
  const changes = [
    ...made.map((one) => change(one, name, one.after)),
    ...made.flatMap((one) => (one.also ? [change(one, one.also.name, one.also.after)] : [])),
  ]
  const inventoryAdjustmentGroup = {
    __typename: 'InventoryAdjustmentGroup',
    id: shop.gid('InventoryAdjustmentGroup', id),
    createdAt: at,
    reason,
    referenceDocumentUri,
    app: null,
    changes: ({ inventoryItemIds, locationIds, quantityNames }: ChangesFilter) =>
      changes.filter(
        ({ item, location, name: changed }) =>
          (inventoryItemIds?.includes(String(item?.id)) ?? true) &&
          (locationIds?.includes(String(location?.id)) ?? true) &&
          (quantityNames?.includes(changed) ?? true),
      ),
  }
  return { inventoryAdjustmentGroup, userErrors }
}
