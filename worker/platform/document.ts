import { type TSchema, Type } from '@sinclair/typebox'

/** A request to the platform: the text is `documents/<name>.graphql`. */
export type Document<V extends TSchema = TSchema, A extends TSchema = TSchema> = {
  name: string
  variables: V
  /** What we rely on in the answer; more may be in it. */
  answer: A
}

export const document = <V extends TSchema, A extends TSchema>(
  name: string,
  variables: V,
  answer: A,
): Document<V, A> => ({ name, variables, answer })

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
export const gid = (type: string) => Type.String({ pattern: `^gid://[a-z]+/${type}/[0-9]{1,20}$` })
/** ISO 8601; always UTC on this platform. */
export const instant = Type.String({ format: 'date-time' })
const pageInfo = Type.Object({ hasNextPage: Type.Boolean(), endCursor: nullable(Type.String()) })
export const page = <T extends TSchema>(node: T) => Type.Object({ nodes: Type.Array(node), pageInfo })
export const after = nullable(Type.String())
