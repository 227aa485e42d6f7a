import { createHash } from 'node:crypto'
import { type GraphQLResolveInfo, getDirectiveValues } from 'graphql'
import type { StoredResponse } from '../shops/state.ts'
import { fail } from './view.ts'

const storageMs = 24 * 3_600_000

/** The key of the field's `@idempotent` directive. Throws when there is none, as the platform does. */
export function readKey(info: GraphQLResolveInfo): string {
  const directive = info.schema.getDirective('idempotent')
  const [field] = info.fieldNodes
  const values = directive && field && getDirectiveValues(directive, field, info.variableValues)
  if (typeof values?.key !== 'string')
    throw fail('BAD_REQUEST', 'The @idempotent directive is required for this mutation but was not provided.')
  if (values.key.trim() === '') throw fail('BAD_REQUEST', 'The idempotency key cannot be empty.')
  return values.key
}

export type PriorUse<T> = { kind: 'first' } | { kind: 'same'; answer: T } | { kind: 'mismatch' }

/** The stored response to a key, for one day after its first use. */
export function findPriorUse<T>(
  stored: Map<string, StoredResponse>,
  key: string,
  request: unknown,
): PriorUse<T> {
  const found = stored.get(key)
  if (!found || found.at < Date.now() - storageMs) return { kind: 'first' }
  return found.request === fingerprint(request)
    ? { kind: 'same', answer: JSON.parse(found.answer) }
    : { kind: 'mismatch' }
}

export function storeResponse(
  stored: Map<string, StoredResponse>,
  key: string,
  request: unknown,
  answer: unknown,
): void {
  const oldest = Date.now() - storageMs
  for (const [old, { at }] of stored) {
    if (at >= oldest) break
    stored.delete(old)
  }
  stored.delete(key)
  stored.set(key, { key, request: fingerprint(request), answer: JSON.stringify(answer), at: Date.now() })
}

const fingerprint = (request: unknown) =>
  createHash('sha256').update(JSON.stringify(request)).digest('base64')
