import { sql } from '../../../../db/db.ts'
import { instant, number, text } from '../columns.ts'
import type { ExportedList } from '../list.ts'
import { item, itemId, itemJoins, shopCurrency } from './parts.ts'

export const transferLists: readonly ExportedList[] = [
  {
    name: 'transfers',
    about: 'Transfers between locations',
    table: 'stock_transfer',
    joins: {
      a: ['location', sql.fragment`t.source_location_id`],
      b: ['location', sql.fragment`t.destination_location_id`],
    },
    columns: {
      Transfer: number`t.id`,
      From: text`a.name`,
      To: text`b.name`,
      Status: text`t.status`,
      Items: number`t.item_count`,
      Notes: text`t.notes`,
      Created: instant`t.created_at`,
      'Created by': text`t.created_by`,
      Shipped: instant`t.shipped_at`,
      Completed: instant`t.completed_at`,
      Cancelled: instant`t.cancelled_at`,
      'From ID': text`a.gid`,
      'To ID': text`b.gid`,
    },
  },
  {
    name: 'transfer-items',
    about: 'Items of transfers',
    table: 'stock_transfer_item',
    key: { transfer_id: 'int8', position: 'int4' },
    joins: itemJoins,
    columns: {
      ...item,
      Transfer: number`t.transfer_id`,
      Quantity: number`t.quantity`,
      Shipped: number`t.shipped`,
      Received: number`t.received`,
      Lost: number`t.lost`,
      Damaged: number`t.damaged`,
      Returned: number`t.returned`,
      'In transit': number`t.in_transit`,
      ...itemId,
    },
  },
  {
    name: 'transfer-events',
    about: 'What was done with transfers',
    table: 'stock_transfer_event',
    columns: {
      Event: number`t.id`,
      Transfer: number`t.transfer_id`,
      Kind: text`t.kind`,
      Time: instant`t.occurred_at`,
      By: text`t.actor`,
      Reversed: instant`t.reversed_at`,
      'Reversed by': text`t.reversed_by`,
    },
  },
  {
    name: 'transfer-event-items',
    about: 'Pieces by event of a transfer',
    table: 'stock_transfer_event_item',
    key: { event_id: 'int8', position: 'int4' },
    joins: itemJoins,
    columns: {
      ...item,
      Event: number`t.event_id`,
      Shipped: number`t.shipped`,
      Received: number`t.received`,
      Lost: number`t.lost`,
      Damaged: number`t.damaged`,
      Returned: number`t.returned`,
      'Cost of a lost piece': number`t.loss_cost`,
      ...shopCurrency,
      ...itemId,
    },
  },
]
