import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { importReorderRules } from '../../shared/domain/reorder/import.ts'
import {
  createReorderRule,
  deleteReorderRule,
  getReorderRule,
  listReorderRules,
  updateReorderRule,
} from '../../shared/domain/reorder/rules.ts'
import { saveReorderRules } from '../../shared/domain/reorder/save-rules.ts'
import { IdParam, List, Message, Ok } from '../../shared/schemas/common.ts'
import {
  CreatedReorderRule,
  ImportedReorderRules,
  ReorderImport,
  ReorderRule,
  ReorderRuleFilter,
  ReorderRuleInput,
  ReorderRulePatch,
  ReorderRulesInput,
  SavedReorderRules,
} from '../../shared/schemas/reorder-rules.ts'
import { created, ok, okPage } from '../http/envelope.ts'

/** As the import names them, so that what was exported can be changed and imported. */
const fileColumns = [
  'variantId',
  'sku',
  'title',
  'reorderPoint',
  'reorderQuantity',
  { key: 'supplierName', header: 'supplier' },
  { key: 'locationName', header: 'location' },
  'mode',
  'serviceLevel',
  'reviewDays',
]

export const reorderRules: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/reorder/rules',
    {
      schema: {
        summary: 'List reorder rules, newest first',
        querystring: ReorderRuleFilter,
        response: { 200: Ok(List(ReorderRule)) },
      },
      config: { csv: fileColumns },
    },
    async (request, reply) =>
      okPage(request, reply, await listReorderRules(request.db, request.shop.id, request.query)),
  )

  app.post(
    '/reorder/rules',
    {
      schema: {
        summary: 'Create a reorder rule',
        body: ReorderRuleInput,
        response: { 201: Ok(CreatedReorderRule) },
      },
    },
    async ({ db, shop, actor, body }, reply) =>
      created(reply, await createReorderRule(db, shop.id, actor, body)),
  )

  app.post(
    '/reorder/rules/bulk',
    {
      schema: {
        summary: 'Create reorder rules, or change those of the same variants and locations',
        body: ReorderRulesInput,
        response: { 200: Ok(SavedReorderRules) },
      },
    },
    async ({ db, shop, actor, body }) => ok(await saveReorderRules(db, shop.id, actor, body)),
  )

  app.post(
    '/reorder/rules/import',
    {
      schema: {
        summary: 'Create or change reorder rules from a CSV file, or only say what would happen',
        body: ReorderImport,
        response: { 200: Ok(ImportedReorderRules) },
      },
    },
    async ({ db, shop, actor, body }) => ok(await importReorderRules(db, shop.id, actor, body)),
  )

  app.get(
    '/reorder/rules/:id',
    { schema: { summary: 'Get a reorder rule', params: IdParam, response: { 200: Ok(ReorderRule) } } },
    async ({ db, shop, params }) => ok(await getReorderRule(db, shop.id, params.id)),
  )

  app.put(
    '/reorder/rules/:id',
    {
      schema: {
        summary: 'Change what is given of a reorder rule',
        params: IdParam,
        body: ReorderRulePatch,
        response: { 200: Ok(ReorderRule) },
      },
    },
    async ({ db, shop, params, body }) => ok(await updateReorderRule(db, shop.id, params.id, body)),
  )

  app.delete(
    '/reorder/rules/:id',
    { schema: { summary: 'Delete a reorder rule', params: IdParam, response: { 200: Ok(Message) } } },
    async ({ db, shop, params }) => ok(await deleteReorderRule(db, shop.id, params.id)),
  )
}
