import fastJsonStringify from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'

/**
 * The function that `compile` returns, compiled at the first call. The API has more than 200 routes, and to compile all
 * their schemas takes half of the time that web needs to start.
 */
export function atFirstUse<Input, Output>(compile: () => (input: Input) => Output): (input: Input) => Output {
  let compiled: ReturnType<typeof compile> | undefined
  return (input) => {
    compiled ??= compile()
    return compiled(input)
  }
}

/** Serializes responses by their schemas, as Fastify does without it, but compiles a schema when its route first answers. */
export const serializerCompiler: FastifySerializerCompiler<object> = ({ schema }) =>
  atFirstUse(() => fastJsonStringify(schema))
