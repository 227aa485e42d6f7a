import { KindGuard, type TObject, type TSchema } from '@sinclair/typebox'

/** Converts only the canonical spelling (`12`, `true`); other values stay strings, which the schema refuses. */
export function fromText(schema: TObject, record: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record ?? {}).map(([name, value]) => {
      const property = schema.properties[name]
      return [name, property && typeof value === 'string' ? convert(property, value) : value]
    }),
  )
}

function convert(schema: TSchema, text: string): unknown {
  if (KindGuard.IsInteger(schema) && /^-?(0|[1-9]\d{0,18})$/.test(text)) return Number(text)
  if (KindGuard.IsBoolean(schema) && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
