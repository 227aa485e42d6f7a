import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { Db } from '../../shared/db/db.ts'
import { answerOnce } from '../../shared/domain/kit/operations/idempotency-keys.ts'
import { badRequest } from '../../shared/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The pool, or the transaction that stores the response for an idempotency key. Routes pass it to the domain. */
    db: Db
    idempotencyKey: string | undefined
  }
}

const keyPattern = /^[!-~]{1,255}$/

export const keyHeader = {
  'Idempotency-Key': {
    type: 'string',
    pattern: keyPattern.source,
    description:
      'Makes retries safe: for 24 hours the same request with the same key gets the first successful response ' +
      'again, with the header Idempotent-Replayed, and changes nothing',
  },
}

export const takesKey = ({ method }: Pick<RouteOptions, 'method'>) =>
  [method].flat().some((name) => name === 'POST' || name === 'PUT')

/**
 * Runs a POST or PUT request with an idempotency key once:
 * 1. The handler runs in the transaction that stores its response (`request.db`).
 * 2. The response is sent after the commit, so the handler must return it and not call `reply.send`.
 * 3. A repeated request with the same key gets the same bytes.
 */
export function applyIdempotencyKeys(app: FastifyInstance): void {
  app.decorateRequest('db')
  app.decorateRequest('idempotencyKey')

  app.addHook('onRequest', async (request) => {
    request.db = app.db
  })

  app.addHook('preValidation', async (request) => {
    if (takesKey(request)) request.idempotencyKey = readKey(request)
  })

  app.addHook('onRoute', (route) => {
    if (!takesKey(route)) return
    const { handler, method, url } = route
    route.handler = async function (request, reply) {
      const { idempotencyKey: key, shop } = request
      if (key === undefined) return handler.call(this, request, reply)
      const keyed = { key, requestHash: hashOf(request) }
      const { status, body, isRepeated } = await answerOnce(app.db, shop.id, keyed, async (tx) => {
        request.db = tx
        reply.code(200) // a previous attempt of this transaction may have set another status
        const payload = await handler.call(this, request, reply)
        if (payload === undefined) throw new Error(`${method} ${url} does not return its response`)
        return { status: reply.statusCode, body: String(reply.serialize(payload)) }
      })
      if (isRepeated) reply.header('idempotent-replayed', 'true')
      reply.code(status).type('application/json; charset=utf-8')
      return body
    }
  })
}

function readKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || (typeof key === 'string' && keyPattern.test(key))) return key
  const message = 'must be one header of 1 to 255 visible ASCII characters, without spaces'
  throw badRequest([{ path: '/Idempotency-Key', message }])
}

/** Identifies a request by its method, URL and parsed body, so whitespace in the JSON does not count. */
function hashOf({ method, url, body }: FastifyRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, url, body]))
    .digest()
}
