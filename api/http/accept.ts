import accepts from '@fastify/accepts'
import type { FastifyInstance } from 'fastify'
import { toCsv } from '../../shared/csv.ts'
import { HttpError } from './errors.ts'

/** Answers as JSON, or as CSV where the endpoint has columns; escapes cells that are spreadsheet formulas. */
export async function negotiateContent(app: FastifyInstance): Promise<void> {
  await app.register(accepts)

  app.addHook('preHandler', async (request, reply) => {
    const { produces = 'application/json', csv, csvRows = '' } = request.routeOptions.config.endpoint ?? {}
    const types = [produces].flat()
    const type = request.accepts().type(csv ? [...types, 'text/csv'] : types)
    if (type === false) {
      throw new HttpError({
        status: 406,
        code: 'not_acceptable',
        message: `This endpoint responds with ${types.join(' or ')}${csv ? ' or text/csv' : ''}.`,
      })
    }
    if (csv) reply.header('vary', 'accept')
    if (!csv || type !== 'text/csv') return
    reply.type('text/csv; charset=utf-8').serializer((body: unknown) => {
      const { data } = body as { data: Record<string, unknown[]> | unknown[] }
      const rows = Array.isArray(data) ? data : (data[csvRows] ?? [])
      return toCsv(rows, csv)
    })
  })
}
