import { Kind, type Static, Type } from '@sinclair/typebox'
import { choices, Gid, Id, Nullable, pageFields, Timestamp } from './common.ts'

const strict = { additionalProperties: false }

/** The first two are the specification's. */
export const AlertType = choices('low_stock', 'po_overdue', 'mail_failed', 'sync_conflict')
export type AlertType = Static<typeof AlertType>

/** `productId` with its title, and `purchaseOrderId`, are there when the alert is about one. */
export const Alert = Type.Object({
  id: Id,
  type: AlertType,
  message: Type.String({ description: 'A sentence for the merchant' }),
  productId: Type.Optional(Gid('Product')),
  productTitle: Type.Optional(Type.String()),
  purchaseOrderId: Type.Optional(Id),
  read: Type.Boolean(),
  createdAt: Timestamp,
  resolvedAt: Nullable(Timestamp),
})
export type Alert = Static<typeof Alert>

/** `open`: what it tells of is still so. */
export const AlertState = choices('open', 'resolved', 'all')
export type AlertState = Static<typeof AlertState>

/** Without `state` what is open is listed. */
export const AlertFilter = Type.Object(
  {
    state: Type.Optional(AlertState),
    type: Type.Optional(AlertType),
    read: Type.Optional(Type.Boolean()),
    ...pageFields,
  },
  strict,
)
export type AlertFilter = Static<typeof AlertFilter>

export const ReadAlert = Type.Pick(Alert, ['id', 'read'])
export type ReadAlert = Static<typeof ReadAlert>

/** Without `type` all that are open. */
export const ReadAllAlerts = Nullable(
  Type.Object({ type: Type.Optional(AlertType) }, { ...strict, rule: 'must be an object' }),
)
export type ReadAllAlerts = Static<typeof ReadAllAlerts>

export const ReadAlerts = Type.Object({
  read: Type.Integer({ description: 'How many were not read before' }),
})
export type ReadAlerts = Static<typeof ReadAlerts>

/** Low stock is told of below the reorder point plus so many percent of it. */
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
  ...strict,
  minProperties: 1,
  rule: 'must hold at least one of lowStockAlerts, overduePoAlerts and alertThresholdPercent',
})
export type AlertConfigurationPatch = Static<typeof AlertConfigurationPatch>
