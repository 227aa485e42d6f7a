import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Page } from '../../shared/domain/kit/pages/pages.ts'

/** The body of every successful response (specification, "Resources and their fields"). */
export const ok = <T>(data: T) => ({ success: true as const, data })

/** One page of a list. When more pages follow, the `Link` header holds the address of the next one, which is not counted again. */
export function okPage<T>(request: FastifyRequest, reply: FastifyReply, { records, next, count }: Page<T>) {
  if (next !== null) {
    const url = new URL(request.url, 'http://localhost')
    url.searchParams.delete('count')
    url.searchParams.set('cursor', String(next))
    reply.header('link', `<${url.pathname}${url.search}>; rel="next"`)
  }
  return count ? { ...ok(records), meta: count } : ok(records)
}
