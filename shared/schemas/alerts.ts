import { Kind, type Static, Type } from '@sinclair/typebox'
import {
  choices,
  countField,
  Gid,
  Id,
  ListOf,
  Nullable,
  pageFields,
  Strict,
  Text,
  Timestamp,
} from './common.ts'

/** The specification defines the first two. */
export const AlertType = choices('low_stock', 'po_overdue', 'mail_failed', 'sync_conflict')
export type AlertType = Static<typeof AlertType>

/**
 * An alert about a product has `productId` and `productTitle`; one about an order has `purchaseOrderId`; one about low
 * stock has the `variantId` of its rule while the rule exists, and one about a refused cost has that of the product variant.
 */
export const Alert = Type.Object({
  id: Id,
  type: AlertType,
  message: Type.String({ description: 'A sentence for the merchant' }),
  productId: Type.Optional(Gid('Product')),
  productTitle: Type.Optional(Type.String()),
  variantId: Type.Optional(Gid('ProductVariant')),
  purchaseOrderId: Type.Optional(Id),
  read: Type.Boolean(),
  createdAt: Timestamp,
  resolvedAt: Nullable(Timestamp),
})
export type Alert = Static<typeof Alert>

/** `open`: the condition still holds. */
const AlertState = choices('open', 'resolved', 'all')

/** By the time at which they were raised; the newest first without a sort. */
export const AlertSort = choices('newest', 'oldest')
export type AlertSort = Static<typeof AlertSort>

/** Without `state`: the open alerts and those resolved in the last 7 days. */
export const AlertFilter = Strict({
  state: Type.Optional(AlertState),
  type: Type.Optional(AlertType),
  read: Type.Optional(Type.Boolean()),
  search: Type.Optional(Text(200)),
  sort: Type.Optional(AlertSort),
  ...pageFields,
  ...countField,
})
export type AlertFilter = Static<typeof AlertFilter>

export const ReadAlert = Type.Pick(Alert, ['id', 'read'])
export type ReadAlert = Static<typeof ReadAlert>

/** All open alerts, those of one type, or those of `ids` that are open. */
export const ReadAllAlerts = Nullable(
  Strict(
    {
      type: Type.Optional(AlertType),
      ids: Type.Optional(ListOf(Id, 1, 1000, 'ids of alerts')),
    },
    { rule: 'must be an object' },
  ),
)
export type ReadAllAlerts = NonNullable<Static<typeof ReadAllAlerts>>

export const ReadAlerts = Type.Object({
  read: Type.Integer({ description: 'Number of alerts that were unread before' }),
})
export type ReadAlerts = Static<typeof ReadAlerts>

/** A low-stock alert is raised below the reorder point plus this percentage of it. */
const ThresholdPercent = Type.Unsafe<number>({
  [Kind]: 'Decimal',
  type: 'number',
  decimals: 2,
  minimum: 0,
  maximum: 1000,
  rule: 'must be a number from 0 to 1 000 with at most 2 decimals',
})

export const AlertConfiguration = Type.Object({
  lowStockAlerts: Type.Boolean(),
  overduePoAlerts: Type.Boolean(),
  alertThresholdPercent: ThresholdPercent,
})
export type AlertConfiguration = Static<typeof AlertConfiguration>

export const AlertConfigurationPatch = Type.Partial(AlertConfiguration, {
  additionalProperties: false,
  minProperties: 1,
  rule: 'must hold at least one of lowStockAlerts, overduePoAlerts and alertThresholdPercent',
})
export type AlertConfigurationPatch = Static<typeof AlertConfigurationPatch>
