import type { TSchema } from '@sinclair/typebox'

/** The schema with `change` applied to its items, the members of its union and its properties. */
export function changeInner<T extends TSchema>(schema: T, change: (inner: TSchema) => TSchema): T {
  return {
    ...schema,
    ...(schema.items && { items: change(schema.items) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(change) }),
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries<TSchema>(schema.properties).map(([name, property]) => [name, change(property)]),
      ),
    }),
  }
}
