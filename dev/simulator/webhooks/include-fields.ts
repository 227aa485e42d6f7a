type Payload = Readonly<Record<string, unknown>>

/**
 * The fields of a payload that a subscription includes, such as `id` or `line_items.variant_id`; all when it names
 * none.
 */
export function includeFields(payload: Payload, fields: readonly string[]): Payload {
  if (fields.length === 0) return payload
  const inner = new Map<string, string[]>()
  for (const field of fields) {
    const [name = '', ...rest] = field.split('.')
    inner.set(name, [...(inner.get(name) ?? []), ...(rest.length > 0 ? [rest.join('.')] : [])])
  }
  return Object.fromEntries(
    Object.entries(payload).flatMap(([name, value]) => {
      const innerFields = inner.get(name)
      return innerFields ? [[name, included(value, fields.includes(name) ? [] : innerFields)]] : []
    }),
  )
}

function included(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => included(item, fields))
  return typeof value === 'object' && value !== null ? includeFields(value as Payload, fields) : value
}
