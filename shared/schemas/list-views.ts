import { type Static, Type } from '@sinclair/typebox'
import { choices, Id, ListOf, Nullable, Strict, Text, Timestamp } from './common.ts'

/** The lists of the admin that have saved views. */
export const ListName = choices(
  'purchase-orders',
  'suppliers',
  'receipts',
  'returns',
  'transfers',
  'counts',
  'alerts',
  'stock',
  'stock-history',
  'past-adjustments',
  'adjustments',
  'reorder-rules',
  'dead-stock',
  'lost-sales',
  'overstock',
  'stock-gaps',
  'abc',
  'sales-velocity',
  'margin',
  'forecast-accuracy',
  'supplier-performance',
  'count-accuracy',
  'inventory-value',
  'price-history',
  'adjustment-reasons',
)
export type ListName = Static<typeof ListName>

const shown = {
  query: Text(2000),
  columns: Nullable(ListOf(Text(60, 1), 0, 40, 'names of columns')),
}

export const ListViewFilter = Strict({ list: ListName })
export type ListViewFilter = Static<typeof ListViewFilter>

/** `query`: filters and sort as in the address of the page. `columns`: the shown ones; null for those that the list shows first. */
export const ListViewInput = Strict({ list: ListName, name: Text(60, 1), ...shown })
export type ListViewInput = Static<typeof ListViewInput>

export const ListViewPatch = Strict({
  name: Type.Optional(Text(60, 1)),
  query: Type.Optional(shown.query),
  columns: Type.Optional(shown.columns),
})
export type ListViewPatch = Static<typeof ListViewPatch>

export const ListView = Type.Object({
  id: Id,
  list: Type.String(),
  name: Type.String(),
  query: Type.String(),
  columns: Nullable(Type.Array(Type.String())),
  createdBy: Type.String(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type ListView = Static<typeof ListView>
