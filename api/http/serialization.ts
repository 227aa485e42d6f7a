import { type TSchema, Type } from '@sinclair/typebox'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'
import { atFirstUse } from './first-use.ts'
import { changeInner } from './inner-schemas.ts'

/** Serializes responses by their schemas, as Fastify does by default, but compiles a schema when its route first answers. */
export const serializerCompiler: FastifySerializerCompiler<TSchema> = ({ schema }) =>
  atFirstUse(() => fastJsonStringify(withoutUnions(schema)))

const simpleTypes = ['string', 'number', 'integer', 'boolean']

/**
 * A schema that writes the same values as the same text, without unions. For a union, fast-json-stringify compiles a
 * validator of each member, and validates each value with one after another.
 *
 * | union                   | instead                                |
 * |-------------------------|----------------------------------------|
 * | 'draft' or 'sent'       | `type: 'string'`                       |
 * | text or null            | `type: ['string', 'null']`             |
 * | object or list, or null | the object or list, `nullable: true`   |
 */
export function withoutUnions(schema: TSchema): TSchema {
  const plain = changeInner(schema, withoutUnions)
  if (!plain.anyOf) return plain
  const members: TSchema[] = plain.anyOf.filter(({ type }: TSchema) => type !== 'null')
  const isNullable = members.length < plain.anyOf.length
  const [first, ...others] = members
  if (!first || others.some(({ type }) => type !== first.type)) return plain
  const isSimple = simpleTypes.includes(first.type)
  if (others.length > 0 && !isSimple) return plain
  const value = others.length > 0 ? Type.Unsafe({ type: first.type }) : first
  if (!isNullable) return value
  return Type.Unsafe(isSimple ? { ...value, type: [first.type, 'null'] } : { ...value, nullable: true })
}
