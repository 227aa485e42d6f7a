import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { countLabels, getLabels } from '../../shared/domain/records/labels/labels.ts'
import { labelsZpl } from '../../shared/labels/zpl.ts'
import { makeGid } from '../../shared/platform/gid.ts'
import { route } from '../http/route.ts'

export const labels: FastifyPluginAsyncTypebox<{ gidNamespace: string }> = async (app, { gidNamespace }) => {
  const gidOf = (number: string) => makeGid(gidNamespace, 'ProductVariant', number)
  route(app, 'GET /labels', ({ db, shop, query }) =>
    countLabels(db, shop.id, query, { output: 'pdf', gidOf }),
  )
  route(app, 'GET /labels.pdf', async ({ db, shop, query, signal }, reply) => {
    const sheet = await getLabels(db, shop.id, query, { output: 'pdf', gidOf })
    return reply
      .type('application/pdf')
      .header('content-disposition', 'inline; filename="labels.pdf"')
      .send(await app.pdf.renderLabels(sheet, { signal }))
  })
  route(app, 'GET /labels.zpl', async ({ db, shop, query }, reply) => {
    const sheet = await getLabels(db, shop.id, query, { output: 'zpl', gidOf })
    return reply
      .type('text/plain; charset=utf-8')
      .header('content-disposition', 'attachment; filename="labels.zpl"')
      .send(labelsZpl(sheet))
  })
}
