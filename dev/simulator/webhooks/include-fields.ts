type Payload = Readonly<Record<string, unknown>>

/**
 * Of a payload, what a subscription wants to be told: fields such as `id` or `line_items.variant_id`. Everything
 * when it names none.
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
      const wanted = inner.get(name)
      return wanted ? [[name, included(value, fields.includes(name) ? [] : wanted)]] : []
    }),
  )
}

function included(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => included(item, fields))
  return typeof value === 'object' && value !== null ? includeFields(value as Payload, fields) : value
}
