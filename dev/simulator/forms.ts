import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'

/** Reads what a form sends, and what OAuth clients may send. Of a repeated field the last counts. */
export function readForms(app: FastifyInstance) {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string | Buffer) => Object.fromEntries(new URLSearchParams(String(body))),
  )
}

/** A page elsewhere must not press our buttons. Who sends no such header is no browser. */
export const refuseOtherSites: onRequestAsyncHookHandler = async (request, reply) => {
  const site = request.headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return
  return reply.code(403).send({ message: 'This form is sent from the pages of the simulator only.' })
}
