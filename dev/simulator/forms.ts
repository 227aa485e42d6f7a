import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'

/** Parses bodies of forms and of OAuth clients. The last of repeated fields counts. */
export function readForms(app: FastifyInstance) {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string | Buffer) => Object.fromEntries(new URLSearchParams(String(body))),
  )
}

/** Refuses forms that pages of other sites submit (CSRF). Clients without this header are not browsers. */
export const refuseOtherSites: onRequestAsyncHookHandler = async (request, reply) => {
  const site = request.headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return
  return reply.code(403).send({ message: 'Only pages of the simulator may send this form.' })
}
