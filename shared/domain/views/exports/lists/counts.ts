import { sql } from '../../../../db/db.ts'
import { isHiddenCount } from '../../../documents/stock-counts/phase.ts'
import { instant, number, text, yesNo } from '../columns.ts'
import type { ExportedList } from '../list.ts'
import { item, itemId, itemJoins, place, placeId } from './parts.ts'

export const countLists: readonly ExportedList[] = [
  {
    name: 'counts',
    about: 'Stock counts',
    table: 'stock_count',
    joins: place,
    columns: {
      Count: number`t.id`,
      Location: text`w.name`,
      Status: text`t.status`,
      Items: number`t.item_count`,
      'Items against old stock': number`t.stale_item_count`,
      Notes: text`t.notes`,
      Created: instant`t.created_at`,
      'Created by': text`t.created_by`,
      Submitted: instant`t.submitted_at`,
      'Submitted by': text`t.submitted_by`,
      Cancelled: instant`t.cancelled_at`,
      ...placeId,
    },
  },
  {
    name: 'count-items',
    about: 'Items of stock counts',
    table: 'stock_count_item',
    key: { count_id: 'int8', variant_id: 'int8' },
    joins: { ...itemJoins, c: ['stock_count', sql.fragment`t.count_id`] },
    columns: {
      ...item,
      Count: number`t.count_id`,
      Counted: number`t.counted_quantity`,
      Expected: number`case when not ${isHiddenCount('c')} then t.expected_quantity end`,
      Difference: number`case when not ${isHiddenCount('c')} then t.counted_quantity - t.expected_quantity end`,
      'Counted at': instant`t.counted_at`,
      ...itemId,
    },
  },
  {
    name: 'count-entries',
    about: 'Numbers of stock counts by person and device',
    table: 'stock_count_entry',
    key: { count_id: 'int8', variant_id: 'int8', round: 'int4', person: 'text', device: 'text' },
    joins: itemJoins,
    columns: {
      ...item,
      Count: number`t.count_id`,
      Round: number`t.round`,
      Person: text`t.person`,
      Device: text`t.device`,
      Counted: number`t.counted_quantity`,
      'Counted at': instant`t.counted_at`,
      ...itemId,
    },
  },
  {
    name: 'count-plans',
    about: 'Plans that start stock counts',
    table: 'count_plan',
    joins: place,
    columns: {
      Location: text`w.name`,
      Class: text`t.abc_class`,
      'Every (days)': number`t.every_days`,
      'Max products': number`t.max_items`,
      Blind: yesNo`t.blind`,
      Next: text`t.next_on`,
      Created: instant`t.created_at`,
      'Created by': text`t.created_by`,
      ...placeId,
    },
  },
]
