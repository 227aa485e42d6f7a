import { type Static, Type } from '@sinclair/typebox'
import { choices, Gid, Id, Timestamp } from './common.ts'

/** The first two are the specification's. */
export const AlertType = choices('low_stock', 'po_overdue', 'mail_failed', 'sync_conflict')
export type AlertType = Static<typeof AlertType>

/** `productId` and `purchaseOrderId` are there when the alert is about one. */
export const Alert = Type.Object({
  id: Id,
  type: AlertType,
  message: Type.String({ description: 'A sentence for the merchant' }),
  productId: Type.Optional(Gid('Product')),
  purchaseOrderId: Type.Optional(Id),
  read: Type.Boolean(),
  createdAt: Timestamp,
})
export type Alert = Static<typeof Alert>
