import type { FastifyInstance } from 'fastify'
import { beginRequest, type RequestContext } from '../../shared/telemetry/request-context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** None when the request could not be read. */
    origin: RequestContext | undefined
  }
}

/** Has the jobs that requests enqueue carry their ids, and traces them. To be called before other hooks are added. */
export function rememberRequestContext(app: FastifyInstance): void {
  app.decorateRequest('origin')

  app.addHook('onRequest', (request, _reply, done) => {
    const origin = beginRequest(request.id)
    request.origin = origin
    origin.enter(done)
  })

  // bodies come with events of the socket, which know no request
  app.addHook('preValidation', (request, _reply, done) =>
    request.origin ? request.origin.enter(done) : done(),
  )

  app.addHook('onResponse', async ({ method, routeOptions, origin }, { statusCode }) => {
    const { url: route = 'unknown' } = routeOptions
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': statusCode,
    }
    origin?.end(`${method} ${route}`, attributes, statusCode >= 500)
  })
}
