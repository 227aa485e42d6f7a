import { KindGuard, type TObject, type TSchema } from '@sinclair/typebox'

/**
 * Gives the numbers and booleans of a flat record of texts (query string, path, environment) their types.
 * Only the canonical spelling counts (`12`, `true`); anything else stays text, for the schema to refuse.
 */
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
