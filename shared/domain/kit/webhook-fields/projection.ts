import { type TSchema, TypeGuard } from '@sinclair/typebox'
import { isExactNumber, isInexact, parseExact } from '../../../lossless-json.ts'
import type { WebhookTopic } from '../../../queue/jobs.ts'
import { webhookPayloads } from './payloads.ts'

/*
 * Bodies of webhooks contain customers' names, addresses and e-mail addresses. The service stores only the fields that
 * its jobs read: those of the topic's schema in `webhookPayloads`. The same fields are requested from the platform.
 *
 * Example: an order { id: 1, email: 'ada@example.com', line_items: [{ id: 2, quantity: 3, name: 'Mug' }], … }
 *   requested: id, created_at, line_items.id, line_items.variant_id, line_items.quantity
 *   stored:    {"id":1,"line_items":[{"id":2,"quantity":3}]}
 */

/** The body of a webhook without the fields that no job reads, as JSON; empty when the body was not JSON. */
export type ProjectedBody = Buffer & { readonly [projected]: true }
declare const projected: unique symbol

/** An object with `fields`, a list with `items`, or a single value. */
type Shape = { fields?: ReadonlyMap<string, Shape>; items?: Shape; isRequested: boolean }

const shapes: ReadonlyMap<string, Shape> = new Map(
  Object.entries(webhookPayloads).map(([topic, schema]) => [topic, shapeOf(schema)]),
)

/** The fields to request from the platform, such as `line_items.id`, in the order of the schema. */
export const fieldsOf = (topic: WebhookTopic): string[] => pathsOf(shapes.get(topic))

/** Keeps the fields that the jobs of the topic read. Of an unknown topic nothing is kept. */
export function projectBody(topic: string, body: Uint8Array): ProjectedBody {
  const shape = shapes.get(topic)
  const kept = shape && projectText(shape, decode(body))
  return Buffer.from(kept ?? '') as ProjectedBody
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Null for invalid UTF-8, which a job would reject. */
function decode(body: Uint8Array): string | null {
  try {
    return decoder.decode(body)
  } catch {
    return null
  }
}

/** Null when the text is not JSON. */
function projectText(shape: Shape, text: string | null): string | null {
  if (text === null) return null
  try {
    const { kept, isExact } = keep(shape, JSON.parse(text))
    // the exact parser takes several times as long, and only very large ids need it
    return JSON.stringify(isExact ? kept : keep(shape, parseExact(text)).kept)
  } catch {
    return null
  }
}

/** `isExact` is false when a number of `kept` may have lost digits. */
function keep(outer: Shape, parsed: unknown): { kept: unknown; isExact: boolean } {
  let isExact = true
  const keepValue = (shape: Shape, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || isExactNumber(value)) {
      isExact &&= !isInexact(value)
      return isStructured(shape) && typeof value === 'string' ? '' : value
    }
    const { fields, items } = shape
    if (Array.isArray(value)) return items ? value.map((item) => keepValue(items, item)) : []
    const kept: Record<string, unknown> = {}
    for (const [name, field] of fields ?? []) {
      if (Object.hasOwn(value, name)) kept[name] = keepValue(field, value[name as keyof typeof value])
    }
    return kept
  }
  return { kept: keepValue(outer, parsed), isExact }
}

function isStructured({ fields, items }: Shape): boolean {
  return fields !== undefined || items !== undefined
}

function pathsOf(shape: Shape | undefined, path = ''): string[] {
  if (!shape?.isRequested) return []
  if (shape.items && isStructured(shape.items)) return pathsOf(shape.items, path)
  if (!shape.fields) return [path]
  return [...shape.fields].flatMap(([name, field]) => pathsOf(field, path ? `${path}.${name}` : name))
}

/** Throws for a kind of schema whose fields are not known, because it would keep everything or nothing. */
function shapeOf(schema: TSchema): Shape {
  const isRequested = schema.isOfOtherTopics !== true
  if (TypeGuard.IsObject(schema)) {
    const fields = Object.entries(schema.properties).map(([name, field]) => [name, shapeOf(field)] as const)
    return { fields: new Map(fields), isRequested }
  }
  if (TypeGuard.IsArray(schema)) return { items: shapeOf(schema.items), isRequested }
  if (TypeGuard.IsUnion(schema)) {
    const [structured, ...others] = schema.anyOf.map(shapeOf).filter(isStructured)
    if (others.length > 0) throw new Error('A payload schema has a union of several objects or lists')
    return structured ?? { isRequested }
  }
  if (TypeGuard.IsRecord(schema) || TypeGuard.IsIntersect(schema) || TypeGuard.IsTuple(schema)) {
    throw new Error('A payload schema consists of objects, lists, unions with null and single values')
  }
  return { isRequested }
}
