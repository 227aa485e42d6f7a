import type { IncomingMessage, Server } from 'node:http'
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { HttpError } from './errors.ts'

/** The methods that Fastify routes. */
const methods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route only answers 405. */
    isRefusal?: boolean
  }
}

/**
 * Call the returned function after the last route: other methods of this scope's paths then answer 405 with `Allow`. An
 * inner scope that calls it itself keeps its paths, so that its own hooks run before the 405.
 */
export function collectPaths(app: FastifyInstance): () => void {
  const paths = new Set<string>()
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.isRefusal) paths.delete(url)
    else paths.add(url)
  })
  return () => {
    for (const url of [...paths]) refuseOtherMethods(app, url)
  }
}

/**
 * Node reads 30 more methods, such as PROPFIND and QUERY. No route supports TRACE, so a request with one of them is
 * answered as TRACE is: 404 for an unknown address, 401 without a session, else 405 with `Allow`.
 */
export function routeUnknownMethods(server: Server): void {
  const known = new Set<string | undefined>(methods)
  server.prependListener('request', (request: IncomingMessage) => {
    if (!known.has(request.method)) request.method = 'TRACE'
  })
}

/** Asks the router for the supported methods: Fastify adds `/docs/` beside `/docs` without calling `onRoute`. */
function refuseOtherMethods(app: FastifyInstance, url: string): void {
  const supported = methods.filter((method) => app.hasRoute({ method, url }))
  const others = methods.filter((method) => !supported.includes(method))
  if (others.length === 0) return
  const allow = supported.sort().join(', ')
  const refuse = async () => {
    throw new HttpError({
      status: 405,
      code: 'method_not_allowed',
      message: `This address supports only ${allow}.`,
      headers: { allow },
    })
  }
  app.route({
    method: others,
    url: url.slice(app.prefix.length),
    config: { isRefusal: true },
    schema: { hide: true },
    onRequest: refuse,
    handler: refuse,
  })
}
