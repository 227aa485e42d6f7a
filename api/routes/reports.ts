import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listAbcClasses } from '../../shared/domain/reports/abc.ts'
import { listAdjustments } from '../../shared/domain/reports/adjustments.ts'
import { listDeadStock } from '../../shared/domain/reports/dead-stock.ts'
import { listInventoryValue } from '../../shared/domain/reports/inventory-value.ts'
import { getProcurementSpend } from '../../shared/domain/reports/procurement-spend.ts'
import { listSalesVelocity } from '../../shared/domain/reports/sales-velocity.ts'
import { listSupplierPerformance } from '../../shared/domain/reports/supplier-performance.ts'
import { List, Ok } from '../../shared/schemas/common.ts'
import {
  AbcFilter,
  AbcVariant,
  Adjustment,
  AdjustmentFilter,
  DeadStock,
  DeadStockFilter,
  InventoryValue,
  InventoryValueFilter,
  ProcurementSpend,
  ProcurementSpendFilter,
  SalesVelocity,
  SalesVelocityFilter,
  SupplierPerformance,
  SupplierPerformanceFilter,
  supplierSpendColumns,
} from '../../shared/schemas/reports.ts'
import { ok, okPage } from '../http/envelope.ts'

export const reports: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/reports/adjustments',
    {
      schema: {
        summary: 'What people set, changed and counted, newest first',
        querystring: AdjustmentFilter,
        response: { 200: Ok(List(Adjustment)) },
      },
      config: { csv: Object.keys(Adjustment.properties) },
    },
    async (request, reply) =>
      okPage(request, reply, await listAdjustments(request.db, request.shop.id, request.query)),
  )

  app.get(
    '/reports/procurement-spend',
    {
      schema: {
        summary: 'What was ordered, by supplier and by month; as CSV, by supplier',
        querystring: ProcurementSpendFilter,
        response: { 200: Ok(ProcurementSpend) },
      },
      config: { csv: supplierSpendColumns, csvRows: 'bySupplier' },
    },
    async ({ db, shop, query }) => ok(await getProcurementSpend(db, shop.id, query)),
  )

  app.get(
    '/reports/sales-velocity',
    {
      schema: {
        summary: 'How fast variants sell, best sellers first',
        querystring: SalesVelocityFilter,
        response: { 200: Ok(List(SalesVelocity)) },
      },
      config: { csv: Object.keys(SalesVelocity.properties) },
    },
    async (request, reply) =>
      okPage(request, reply, await listSalesVelocity(request.db, request.shop.id, request.query)),
  )

  app.get(
    '/reports/inventory-value',
    {
      schema: {
        summary: 'What the stock was worth, day by day, newest first',
        querystring: InventoryValueFilter,
        response: { 200: Ok(List(InventoryValue)) },
      },
      config: { csv: Object.keys(InventoryValue.properties) },
    },
    async (request, reply) =>
      okPage(request, reply, await listInventoryValue(request.db, request.shop.id, request.query)),
  )

  app.get(
    '/reports/abc',
    {
      schema: {
        summary: 'Variants by what they earn in 90 days, most first, with their classes',
        querystring: AbcFilter,
        response: { 200: Ok(List(AbcVariant)) },
      },
      config: { csv: Object.keys(AbcVariant.properties) },
    },
    async (request, reply) =>
      okPage(request, reply, await listAbcClasses(request.db, request.shop.id, request.query)),
  )

  app.get(
    '/reports/dead-stock',
    {
      schema: {
        summary: 'What lies there and does not sell, the longest first',
        querystring: DeadStockFilter,
        response: { 200: Ok(List(DeadStock)) },
      },
      config: { csv: Object.keys(DeadStock.properties) },
    },
    async (request, reply) =>
      okPage(request, reply, await listDeadStock(request.db, request.shop.id, request.query)),
  )

  app.get(
    '/reports/supplier-performance',
    {
      schema: {
        summary: 'How suppliers have served the orders of a period, newest suppliers first',
        querystring: SupplierPerformanceFilter,
        response: { 200: Ok(List(SupplierPerformance)) },
      },
      config: { csv: Object.keys(SupplierPerformance.properties) },
    },
    async (request, reply) =>
      okPage(request, reply, await listSupplierPerformance(request.db, request.shop.id, request.query)),
  )
}
