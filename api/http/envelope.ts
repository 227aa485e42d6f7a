import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Page } from '../../shared/domain/pages.ts'

/** The body of every successful answer (specification, "Resources and their fields"). */
export const ok = <T>(data: T) => ({ success: true as const, data })

/** The answer with a record that is new. It is returned, not sent: with a key it leaves after the commit. */
export function created<T>(reply: FastifyReply, data: T) {
  reply.code(201)
  return ok(data)
}

/** A list; when more follows, the `Link` header holds the address of the next page. */
export function okPage<T>(request: FastifyRequest, reply: FastifyReply, { records, next }: Page<T>) {
  if (next !== null) {
    const url = new URL(request.url, 'http://localhost')
    url.searchParams.set('cursor', String(next))
    reply.header('link', `<${url.pathname}${url.search}>; rel="next"`)
  }
  return ok(records)
}
