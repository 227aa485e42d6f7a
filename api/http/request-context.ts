import type { FastifyInstance } from 'fastify'
import { beginRequest, type RequestContext } from '../../shared/telemetry/request-context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined when the request could not be parsed. */
    requestContext: RequestContext | undefined
  }
}

/** Passes the id and the trace of each request to the jobs that it enqueues. Call it before other hooks are added. */
export function trackRequestContext(app: FastifyInstance): void {
  app.decorateRequest('requestContext')

  app.addHook('onRequest', (request, _reply, done) => {
    const requestContext = beginRequest(request.id)
    request.requestContext = requestContext
    requestContext.enter(done)
  })

  // the body arrives in socket events, which run outside the async context of the request
  app.addHook('preValidation', (request, _reply, done) =>
    request.requestContext ? request.requestContext.enter(done) : done(),
  )

  app.addHook('onResponse', async ({ method, routeOptions, requestContext }, { statusCode }) => {
    const { url: route = 'unknown' } = routeOptions
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': statusCode,
    }
    requestContext?.end(`${method} ${route}`, attributes, statusCode >= 500)
  })
}
