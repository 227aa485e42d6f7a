import { createHash } from 'node:crypto'
import { type GraphQLResolveInfo, getDirectiveValues } from 'graphql'
import type { Remembered } from '../shops/state.ts'
import { fail } from './view.ts'

const keptMs = 24 * 3_600_000

/** The key of the directive that stands behind the field. Throws when there is none, as the platform does. */
export function readKey(info: GraphQLResolveInfo): string {
  const directive = info.schema.getDirective('idempotent')
  const [field] = info.fieldNodes
  const values = directive && field && getDirectiveValues(directive, field, info.variableValues)
  if (typeof values?.key !== 'string')
    throw fail('BAD_REQUEST', 'The @idempotent directive is required for this mutation but was not provided.')
  if (values.key.trim() === '') throw fail('BAD_REQUEST', 'The idempotency key cannot be empty.')
  return values.key
}

export type Repeat<T> = { kind: 'first' } | { kind: 'same'; answer: T } | { kind: 'mismatch' }

/** What was answered to a key before, for one day. */
export function lookUp<T>(kept: Map<string, Remembered>, key: string, request: unknown): Repeat<T> {
  const found = kept.get(key)
  if (!found || found.at < Date.now() - keptMs) return { kind: 'first' }
  return found.request === fingerprint(request)
    ? { kind: 'same', answer: JSON.parse(found.answer) }
    : { kind: 'mismatch' }
}

export function remember(
  kept: Map<string, Remembered>,
  key: string,
  request: unknown,
  answer: unknown,
): void {
  const oldest = Date.now() - keptMs
  for (const [old, { at }] of kept) {
    if (at >= oldest) break
    kept.delete(old)
  }
  kept.delete(key)
  kept.set(key, { key, request: fingerprint(request), answer: JSON.stringify(answer), at: Date.now() })
}

const fingerprint = (request: unknown) =>
  createHash('sha256').update(JSON.stringify(request)).digest('base64')
