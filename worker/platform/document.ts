import { type Static, type TSchema, Type } from '@sinclair/typebox'

/** A GraphQL query or mutation; its text is in `documents/<name>.graphql`, that of `...variant` in `documents/fragments/variant.graphql`. */
export type Document<V extends TSchema = TSchema, A extends TSchema = TSchema> = {
  name: string
  variables: V
  /** The fields of the response that we rely on; others are allowed. */
  response: A
}

export const document = <V extends TSchema, A extends TSchema>(
  name: string,
  variables: V,
  response: A,
): Document<V, A> => ({ name, variables, response })

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
export const gid = (type: string) => Type.String({ pattern: `^gid://[a-z]+/${type}/[0-9]{1,20}$` })
/** ISO 8601; always UTC on this platform. */
export const instant = Type.String({ format: 'date-time' })
const pageInfo = Type.Object({ hasNextPage: Type.Boolean(), endCursor: nullable(Type.String()) })
export const page = <T extends TSchema>(node: T) => Type.Object({ nodes: Type.Array(node), pageInfo })
export type Page<T> = { nodes: T[]; pageInfo: Static<typeof pageInfo> }
export const after = nullable(Type.String())
