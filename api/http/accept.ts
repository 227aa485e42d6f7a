import accepts from '@fastify/accepts'
import { stringify } from 'csv-stringify/sync'
import type { FastifyInstance } from 'fastify'
import { HttpError } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a route answers with, when that is not JSON. */
    produces?: string
    /** The columns of a list that is also answered as CSV: fields, some under another name. */
    csv?: readonly (string | { key: string; header: string })[]
    /** The field of an answer that holds the rows of its CSV, where the answer is no list. */
    csvRows?: string
  }
}

/**
 * Gives the caller what its Accept header asks for: JSON, or CSV of the lists that have columns for it. Cells that a
 * spreadsheet would take for a formula are neutralised.
 */
export async function negotiateAnswers(app: FastifyInstance): Promise<void> {
  await app.register(accepts)

  app.addHook('preHandler', async (request, reply) => {
    const { produces = 'application/json', csv, csvRows } = request.routeOptions.config
    const type = request.accepts().type(csv ? [produces, 'text/csv'] : [produces])
    if (type === false) {
      throw new HttpError({
        status: 406,
        code: 'not_acceptable',
        message: `This address answers with ${produces}${csv ? ' or text/csv' : ''}.`,
      })
    }
    if (csv) reply.header('vary', 'accept')
    if (type !== 'text/csv') return
    reply.type('text/csv; charset=utf-8').serializer((body: unknown) => {
      const { data } = body as { data: Record<string, unknown[]> | unknown[] }
      const rows = Array.isArray(data) ? data : (data[csvRows ?? ''] ?? [])
      return stringify(rows, { bom: true, columns: [...(csv ?? [])], escape_formulas: true, header: true })
    })
  })
}
