import { Kind, KindGuard, type TSchema } from '@sinclair/typebox'
import { TypeCompiler, type ValueError, ValueErrorType } from '@sinclair/typebox/compiler'
import type { FastifySchemaCompiler } from 'fastify'
import { badRequest, type Fault } from '../../shared/errors.ts'
import { fromText } from '../../shared/from-text.ts'
import { atFirstUse } from './first-use.ts'
import { changeInner } from './inner-schemas.ts'

const maxFaults = 50

/**
 * Validates requests against their TypeBox schemas:
 * - Bodies: texts are trimmed first; types are strict (`"3"` is not 3) and unknown fields are refused, but read-only
 *   fields of the record are dropped (`shared/schemas/read-only.ts`).
 * - Path and query parameters are texts, which are converted to the type of their schema.
 * - Platform ids must have the namespace `gidNamespace`.
 * The error lists up to 50 faults, one per path.
 */
export function createValidatorCompiler(gidNamespace: string): FastifySchemaCompiler<TSchema> {
  return ({ schema, httpPart }) => {
    return atFirstUse(() => {
      const platformSchema = withNamespace(schema, gidNamespace)
      const check = TypeCompiler.Compile(platformSchema)
      return (input: unknown) => {
        const isText = httpPart !== 'body' && KindGuard.IsObject(platformSchema)
        const value = isText ? fromText(platformSchema, input) : trim(platformSchema, input)
        return check.Check(value) ? { value } : { error: badRequest(listFaults(check.Errors(value))) }
      }
    })
  }
}

function listFaults(errors: Iterable<ValueError>): Fault[] {
  const faults = new Map<string, string>()
  for (const { path, type, schema, value, message } of withinUnions(errors)) {
    if (faults.size === maxFaults) break
    if (!faults.has(path))
      faults.set(path, describe(type) ?? describeText(schema, value) ?? schema.rule ?? message)
  }
  return [...faults].map(([path, message]) => ({ path, message }))
}

/** For an invalid object where the schema is "object or null": the faults inside the object, not "is neither". */
function* withinUnions(errors: Iterable<ValueError>): Generator<ValueError> {
  for (const error of errors) {
    const member = error.type === ValueErrorType.Union ? memberFor(error.schema, error.value) : undefined
    const inner = member && error.errors[error.schema.anyOf.indexOf(member)]
    if (inner) yield* withinUnions(inner)
    else yield error
  }
}

/** The member of a union that has the type of `value`, when that is an object or an array. */
function memberFor(union: TSchema, value: unknown): TSchema | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const valueType = Array.isArray(value) ? 'array' : 'object'
  return union.anyOf.find(({ type }: TSchema) => type === valueType)
}

function describe(type: ValueErrorType): string | undefined {
  if (type === ValueErrorType.ObjectRequiredProperty) return 'is required'
  if (type === ValueErrorType.ObjectAdditionalProperties) return 'is not a known field'
  if (type === ValueErrorType.Object) return 'must be an object'
  if (type === ValueErrorType.Boolean) return 'must be true or false'
  return undefined
}

/** The one fault of a text that the rule of its schema names among others. */
function describeText(schema: TSchema, value: unknown): string | undefined {
  const { [Kind]: kind, minLength, maxLength, pattern } = schema
  if (kind !== 'Text' || typeof value !== 'string' || !value.isWellFormed()) return undefined
  if (value.length > maxLength) return `must have at most ${maxLength} characters`
  return minLength > 0 && new RegExp(pattern).test(value) ? 'must be filled in' : undefined
}

/** Trims all texts and drops read-only fields. It recurses along the schema, not the input, so deep input cannot exhaust the stack. */
function trim(schema: TSchema, value: unknown): unknown {
  if (typeof value === 'string') return value.trim()
  if (typeof value !== 'object' || value === null) return value
  if (KindGuard.IsUnion(schema)) {
    const member = memberFor(schema, value)
    return member ? trim(member, value) : value
  }
  if (Array.isArray(value)) {
    return KindGuard.IsArray(schema) ? value.map((item: unknown) => trim(schema.items, item)) : value
  }
  if (!KindGuard.IsObject(schema)) return value
  const ignored: readonly string[] = schema.ignored ?? []
  const entries = Object.entries(value).flatMap(([name, field]) => {
    const property = schema.properties[name]
    if (ignored.includes(name)) return []
    return [[name, property ? trim(property, field) : field]]
  })
  return Object.fromEntries(entries)
}

/** The schema with the platform's namespace in its id patterns (`Gid` in `shared/schemas/common.ts`). */
function withNamespace<T extends TSchema>(schema: T, namespace: string): T {
  if (schema.gid) return { ...schema, pattern: schema.pattern.replace('[a-z]+', namespace) }
  return changeInner(schema, (inner) => withNamespace(inner, namespace))
}
