import type { GraphQLResolveInfo } from 'graphql'
import { allows } from '../shops/scopes.ts'
import { instant } from '../shops/seed.ts'
import type { LevelPlace } from '../shops/stock.ts'
import { lookUp, readKey, remember } from './idempotency.ts'
import { type UserError, userError } from './inventory-checks.ts'
import { fail, type View, type ViewContext } from './view.ts'

/** Why stock changes, and which of its quantities. */
export type Cause = { name: string; reason: string; referenceDocumentUri?: string | null }

/** What a call has done: the changes that were made, or why none was. */
export type Outcome = { made: Made[]; errors: UserError[] }
export type Made = { place: LevelPlace; delta: number; after: number }

/** What is told of it, and again to the same key. */
export type Answer = Outcome & { id: string; at: string }

/** The errors of an idempotency key that a fault wants to be answered. */
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

const keyError = (name: keyof typeof keyErrors): Answer => {
  const [code, message] = keyErrors[name]
  return { id: '', at: '', made: [], errors: [userError(code, null, message)] }
}

/**
 * Does it once for each key of the shop. The same again is answered again; something else under the same key is an
 * error. Throws when the app may not change stock, or gives no key.
 */
export function answerOnce(
  { shop, scopes }: ViewContext,
  keyFault: KeyFault,
  info: GraphQLResolveInfo,
  request: unknown,
  work: () => Outcome,
): Answer {
  if (!allows(scopes, 'write_inventory')) {
    const required = 'Required access: `write_inventory` access scope.'
    throw fail('ACCESS_DENIED', `Access denied for ${info.fieldName} field. ${required}`)
  }
  const key = readKey(info)
  if (keyFault) return keyError(keyFault)
  const asked = [info.fieldName, request]
  const repeat = lookUp<Answer>(shop.state.remembered, key, asked)
  if (repeat.kind === 'same') return repeat.answer
  if (repeat.kind === 'mismatch') return keyError('mismatch')
  const answer = { id: shop.nextId(), at: instant(new Date()), ...work() }
  remember(shop.state.remembered, key, asked, answer)
  shop.changed()
  return answer
}

type Wanted = { inventoryItemIds?: string[]; locationIds?: string[]; quantityNames?: string[] }

/** The payload of a change of quantities: what was changed, or the errors. */
export function groupView({ shop, views }: ViewContext, answer: Answer, cause: Cause): View {
  const { id, at, made, errors: userErrors } = answer
  if (userErrors.length > 0) return { inventoryAdjustmentGroup: null, userErrors }
  const { name, reason, referenceDocumentUri = null } = cause
  const changes = made.map(({ place, delta, after }) => {
    const [item, location] = [views.item(place.item), views.location(place.location)]
    return { name, delta, quantityAfterChange: after, item, location, ledgerDocumentUri: null }
  })
  const inventoryAdjustmentGroup = {
    __typename: 'InventoryAdjustmentGroup',
    id: shop.gid('InventoryAdjustmentGroup', id),
    createdAt: at,
    reason,
    referenceDocumentUri,
    app: null,
    changes: ({ inventoryItemIds, locationIds, quantityNames }: Wanted) =>
      changes.filter(
        ({ item, location }) =>
          (inventoryItemIds?.includes(String(item?.id)) ?? true) &&
          (locationIds?.includes(String(location?.id)) ?? true) &&
          (quantityNames?.includes(name) ?? true),
      ),
  }
  return { inventoryAdjustmentGroup, userErrors }
}
