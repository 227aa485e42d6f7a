import type { FastifyInstance, HTTPMethods } from 'fastify'
import { HttpError } from './errors.ts'

const methods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route only says which methods its address takes. */
    refuses?: boolean
  }
}

/**
 * Remembers the addresses of a scope as its routes are added, hidden ones and those of inner scopes, too; the function
 * it answers, called after the last one, makes every other method of them answer 405 with `Allow`. An inner scope that
 * does so for itself keeps its addresses: what it asks of a caller comes before its refusal.
 */
export function rememberMethods(app: FastifyInstance): () => void {
  const addresses = new Set<string>()
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.refuses) addresses.delete(url)
    else addresses.add(url)
  })
  return () => {
    for (const url of [...addresses]) refuseOtherMethods(app, url)
  }
}

/** Which methods an address takes is asked of the router: of `/docs/` beside `/docs` no hook hears. */
function refuseOtherMethods(app: FastifyInstance, url: string): void {
  const known = methods.filter((method) => app.hasRoute({ method, url }))
  const others = methods.filter((method) => !known.includes(method))
  if (others.length === 0) return
  const allow = known.sort().join(', ')
  const refuse = async () => {
    throw new HttpError({
      status: 405,
      code: 'method_not_allowed',
      message: `This address takes ${allow}.`,
      headers: { allow },
    })
  }
  app.route({
    method: others,
    url: url.slice(app.prefix.length),
    config: { refuses: true },
    schema: { hide: true },
    onRequest: refuse,
    handler: refuse,
  })
}
