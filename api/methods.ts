import type { FastifyInstance, HTTPMethods } from 'fastify'
import { HttpError } from './errors.ts'

const methods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/**
 * Remembers the routes of a scope as they are added; the function it answers, called after the last one, makes
 * every other method of their addresses answer 405 with `Allow`.
 */
export function rememberMethods(app: FastifyInstance): () => void {
  const allowed = new Map<string, Set<HTTPMethods>>()
  app.addHook('onRoute', ({ url, method, schema }) => {
    if (schema?.hide) return
    const known = allowed.get(url) ?? new Set()
    for (const one of [method].flat()) known.add(one)
    allowed.set(url, known)
  })
  return () => {
    for (const [url, known] of [...allowed]) refuseOtherMethods(app, url, known)
  }
}

function refuseOtherMethods(app: FastifyInstance, url: string, known: ReadonlySet<HTTPMethods>): void {
  const method = methods.filter((one) => !known.has(one))
  const allow = [...known].sort().join(', ')
  const refuse = async () => {
    throw new HttpError({
      status: 405,
      code: 'method_not_allowed',
      message: `This address takes ${allow}.`,
      headers: { allow },
    })
  }
  app.route({
    method,
    url: url.slice(app.prefix.length),
    schema: { hide: true },
    onRequest: refuse,
    handler: refuse,
  })
}
