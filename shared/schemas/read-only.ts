import type { TSchema } from '@sinclair/typebox'

/**
 * The body of an update that may repeat what a read of the record answered. Each of its objects gets the keyword
 * `ignored`: the fields that only the record has. The API drops those before it validates; all others are refused.
 */
export function ignoringReadOnly(body: TSchema, record: TSchema): TSchema {
  if (body.anyOf)
    return { ...body, anyOf: body.anyOf.map((member: TSchema) => ignoringReadOnly(member, record)) }
  const own = memberOf(record, body.type)
  if (!own) return body
  if (body.items) return { ...body, items: ignoringReadOnly(body.items, own.items) }
  if (!body.properties) return body
  const properties = Object.entries<TSchema>(body.properties).map(([name, field]) => {
    const ofRecord: TSchema | undefined = own.properties[name]
    return [name, ofRecord ? ignoringReadOnly(field, ofRecord) : field]
  })
  const ignored = Object.keys(own.properties).filter((name) => !(name in body.properties))
  return { ...body, properties: Object.fromEntries(properties), ...(ignored.length > 0 && { ignored }) }
}

/** The schema, or the member of its union, that has a type and parts: an object or an array. */
function memberOf(schema: TSchema, type: unknown): TSchema | undefined {
  const members: TSchema[] = schema.anyOf ?? [schema]
  return members.find((member) => member.type === type && (member.properties || member.items))
}
