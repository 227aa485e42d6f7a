import accepts from '@fastify/accepts'
import type { FastifyInstance } from 'fastify'
import { listCsv } from '../../shared/csv-list.ts'
import { getCsvTerms } from '../../shared/domain/records/shops/csv-terms.ts'
import { HttpError } from './errors.ts'

/** Answers as JSON, or as CSV where the endpoint has columns. The file is named after the path and the shop's day. */
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
    const terms = await getCsvTerms(app.db, request.shop.id)
    reply.type('text/csv; charset=utf-8').serializer((body: unknown) => {
      const { data } = body as { data: Row | Row[] }
      reply.header('content-disposition', `attachment; filename="${fileNameOf(request.url, terms.today)}"`)
      return Array.isArray(data)
        ? listCsv(data, csv, terms)
        : listCsv((data[csvRows] ?? []) as Row[], csv, terms, data)
    })
  })
}

type Row = Record<string, unknown>

/** `/api/reports/dead-stock?limit=5` on 2026-11-22 is `reports-dead-stock-2026-11-22.csv`. */
function fileNameOf(url: string, today: string): string {
  const [path = ''] = url.split('?')
  const name = path
    .replace(/^\/api\//, '')
    .replace(/[^a-z0-9]+/gi, '-')
    .slice(0, 100)
  return `${name}-${today}.csv`
}
