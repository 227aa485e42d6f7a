import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { Db } from '../../shared/db/db.ts'
import { answerOnce } from '../../shared/domain/operations/idempotency-keys.ts'
import { badRequest } from '../../shared/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What a route gives its domain function: the pool, or the transaction that keeps the answer to a key. */
    db: Db
    /** What the caller calls this request, on POST and PUT; without one a repeat cannot be told for sure. */
    idempotencyKey: string | undefined
  }
}

const wellFormed = /^[!-~]{1,255}$/

/** The header as `/openapi.json` describes it. */
export const keyHeader = {
  'Idempotency-Key': {
    type: 'string',
    pattern: wellFormed.source,
    description:
      'Makes it safe to send the request again: for 24 hours the same request with the same key gets the first ' +
      'success again, with the header Idempotent-Replayed, and changes nothing more',
  },
}

export const takesKey = ({ method }: Pick<RouteOptions, 'method'>) =>
  [method].flat().some((one) => one === 'POST' || one === 'PUT')

/**
 * Answers a POST or PUT that names a key once, and again with the same bytes. Its handler works in the transaction
 * that keeps the answer, as `request.db`, and returns the answer: it leaves after the commit.
 */
export function answerKeysOnce(app: FastifyInstance): void {
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
        reply.code(200) // an attempt before this one may have set another
        const payload = await handler.call(this, request, reply)
        if (payload === undefined) throw new Error(`${method} ${url} does not return its answer`)
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
  if (key === undefined || (typeof key === 'string' && wellFormed.test(key))) return key
  const message = 'must be one header of 1 to 255 visible ASCII characters, without spaces'
  throw badRequest([{ path: '/Idempotency-Key', message }])
}

/** Tells requests apart: the body counts as it was understood, not how it was spaced. */
function hashOf({ method, url, body }: FastifyRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, url, body]))
    .digest()
}
