import { type Static, Type } from '@sinclair/typebox'
import {
  CalendarDay,
  Currency,
  choices,
  Gid,
  Id,
  Nullable,
  pageFields,
  Strict,
  Text,
  Timestamp,
} from './common.ts'

const kinds = [
  'suppliers',
  'supplier_products',
  'purchase_orders',
  'costs',
  'stock_counts',
  'adjustments',
  'reorder_rules',
] as const
export const ImportKind = choices(...kinds, 'archive')
export type ImportKind = Static<typeof ImportKind>
/** `skip`: a sheet that is not imported. */
const SheetChoice = choices(...kinds, 'skip')

export const ImportState = choices(
  'uploading',
  'reading',
  'ready',
  'checking',
  'running',
  'done',
  'failed',
  'reverting',
  'reverted',
)
export type ImportState = Static<typeof ImportState>

export const ImportRowState = choices(
  'pending',
  'new',
  'same',
  'changed',
  'skipped',
  'fault',
  'kept',
  'reverted',
)
export type ImportRowState = Static<typeof ImportRowState>

export const ImportInput = Strict({ fileName: Text(200, 1), kind: Type.Optional(Nullable(ImportKind)) })
export type ImportInput = Static<typeof ImportInput>

export const ImportPartParams = Strict({
  id: Id,
  n: Type.Integer({ minimum: 0, maximum: 39, rule: 'must be a whole number from 0 to 39' }),
})
/** A part of the file: at most 512 kB before it is encoded. */
export const ImportPart = Strict({
  base64: Type.String({
    maxLength: 699_052,
    minLength: 1,
    pattern: '^[A-Za-z0-9+/]+={0,2}$',
    rule: 'must be filled in with at most 512 kB in base64, without line breaks',
  }),
})
export type ImportPart = Static<typeof ImportPart>

const defaultFields = {
  supplierId: Type.Optional(Nullable(Id)),
  locationId: Type.Optional(Nullable(Gid('Location'))),
  currency: Type.Optional(Nullable(Currency)),
  orderedOn: Type.Optional(Nullable(CalendarDay)),
  decimalSign: Type.Optional(Nullable(choices('.', ','))),
  dayOrder: Type.Optional(Nullable(choices('dmy', 'mdy'))),
  continueNumbers: Type.Optional(Type.Boolean()),
}

/** Values for what the file does not say. `decimalSign` and `dayOrder` are for sheets that are not certain of their own. */
export const ImportDefaults = Type.Object({
  ...defaultFields,
  // the formats of requests: a response needs none
  currency: Type.Optional(Nullable(Type.String())),
  orderedOn: Type.Optional(Nullable(Type.String())),
})
export type ImportDefaults = Static<typeof ImportDefaults>

/** The given sheets and columns change; the others stay. `field` null: the column is not imported. */
export const ImportPatch = Strict({
  kind: Type.Optional(ImportKind),
  sheets: Type.Optional(
    Type.Array(Strict({ name: Text(300, 1), kind: SheetChoice }), {
      maxItems: 60,
      rule: 'must be a list of at most 60 sheets',
    }),
  ),
  mapping: Type.Optional(
    Type.Array(Strict({ sheet: Text(300, 1), column: Text(200, 1), field: Nullable(Text(50)) }), {
      maxItems: 2000,
      rule: 'must be a list of at most 2000 columns',
    }),
  ),
  defaults: Type.Optional(Strict(defaultFields, { rule: 'must be an object' })),
})
export type ImportPatch = Static<typeof ImportPatch>

/** A sheet, a file of an archive or a list of a JSON file. */
export const ImportSheet = Type.Object({
  name: Type.String(),
  kind: SheetChoice,
  rows: Type.Integer(),
  delimiter: Type.Optional(Type.String()),
  encoding: Type.Optional(Type.String()),
  timeZone: Type.Optional(Type.String({ description: 'Of times, when the file says it' })),
  decimalSign: choices('.', ','),
  isDecimalSignCertain: Type.Optional(
    Type.Boolean({
      description:
        'false: numbers such as 2,345 can be read in two ways; their rows are faults until `decimalSign` of `defaults` is set',
    }),
  ),
  dayOrder: choices('dmy', 'mdy'),
  isDayOrderCertain: Type.Boolean(),
  columns: Type.Array(
    Type.Object({
      name: Type.String(),
      field: Nullable(Type.String()),
      samples: Type.Array(Type.String()),
    }),
  ),
})
export type ImportSheet = Static<typeof ImportSheet>

/** As it is stored: `fault` says why a file could not be read. Files without rows are after the sheets. */
export const StoredSheet = Type.Object({ ...ImportSheet.properties, fault: Type.Optional(Type.String()) })
export type StoredSheet = Static<typeof StoredSheet>

/** A question about one sheet that only the merchant can answer. The worker makes no dry run while one is open. */
export const ImportQuestion = Type.Object({
  sheet: Type.String(),
  about: choices('kind', 'column', 'decimal_sign', 'day_order'),
  fields: Type.Array(Type.String(), {
    description: 'For `column`: map a column to one of these fields. Empty for the other questions',
  }),
})
export type ImportQuestion = Static<typeof ImportQuestion>

/** What a row of an import becomes. */
export const ImportTarget = choices(
  'supplier',
  'supplier_product',
  'purchase_order',
  'receipt',
  'stock_count',
  'cost',
  'past_adjustment',
  'reorder_rule',
)
export type ImportTarget = Static<typeof ImportTarget>

export const ImportSummary = Type.Object({
  rows: Type.Integer(),
  new: Type.Integer(),
  same: Type.Integer(),
  changed: Type.Integer(),
  skipped: Type.Integer(),
  faults: Type.Integer(),
  kept: Type.Integer({ description: 'Rows whose records a revert left, since they have been used' }),
  suppliers: Type.Integer({ description: 'New ones' }),
  orders: Type.Integer({ description: 'New ones' }),
  openOrders: Type.Integer({ description: 'New ones that still have to be received' }),
  targets: Type.Optional(
    Type.Array(Type.Object({ target: ImportTarget, new: Type.Integer(), changed: Type.Integer() }), {
      description:
        'How many records of each kind are new or get other values, except new suppliers and orders',
    }),
  ),
  isRehearsal: Type.Boolean({ description: 'Nothing is stored yet' }),
})
export type ImportSummary = Static<typeof ImportSummary>

export const Import = Type.Object({
  id: Id,
  kind: Nullable(ImportKind),
  state: ImportState,
  fileName: Type.String(),
  sheets: Type.Array(
    Type.Object({
      ...Type.Omit(ImportSheet, ['columns']).properties,
      isStockList: Type.Boolean({
        description: 'The list seems to have stock levels, which `POST /api/stock-imports` takes',
      }),
    }),
  ),
  ignored: Type.Array(Type.Object({ name: Type.String(), reason: Type.String() }), {
    description: 'Files of a ZIP, and sheets, from which no rows were read',
  }),
  columns: Type.Array(
    Type.Object({ sheet: Type.String(), name: Type.String(), samples: Type.Array(Type.String()) }),
  ),
  mapping: Type.Array(
    Type.Object({ sheet: Type.String(), column: Type.String(), field: Nullable(Type.String()) }),
  ),
  fields: Type.Array(
    Type.Object(
      { kind: choices(...kinds), fields: Type.Array(Type.String()) },
      {
        description: 'The fields that a column may become, by kind',
      },
    ),
  ),
  defaults: ImportDefaults,
  questions: Type.Array(ImportQuestion, {
    description:
      'Questions that only the merchant can answer, with `PUT`. The worker makes the dry run after the last answer',
  }),
  summary: Nullable(ImportSummary),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  error: Type.String({ description: 'A sentence that says what to do; else empty' }),
  createdBy: Type.String(),
  createdAt: Timestamp,
  finishedAt: Nullable(Timestamp),
  revertedAt: Nullable(Timestamp),
})
export type Import = Static<typeof Import>

export const ImportListItem = Type.Object({
  ...Type.Pick(Import, ['id', 'kind', 'state', 'fileName', 'summary', 'progress', 'error']).properties,
  ...Type.Pick(Import, ['createdAt', 'finishedAt', 'revertedAt']).properties,
})
export type ImportListItem = Static<typeof ImportListItem>

export const ImportRowFilter = Strict({ state: Type.Optional(ImportRowState), ...pageFields })
export type ImportRowFilter = Static<typeof ImportRowFilter>

export const ImportRow = Type.Object({
  id: Type.Integer({ description: 'The place of the row in the import' }),
  sheet: Type.String(),
  row: Type.Integer({ description: 'As a spreadsheet numbers it' }),
  state: ImportRowState,
  message: Type.String(),
  target: Nullable(ImportTarget),
  targetId: Nullable(Id),
  raw: Type.Array(Type.String(), { description: "The cells, in the order of the sheet's columns" }),
})
export type ImportRow = Static<typeof ImportRow>

export const ImportRun = Strict({
  dryRun: Type.Boolean({ description: 'The worker runs the import in a transaction that it rolls back' }),
})
export type ImportRun = Static<typeof ImportRun>

export const ImportSampleParams = Strict({ kind: choices(...kinds) })
export type ImportSampleKind = Static<typeof ImportSampleParams>['kind']

/** Two suppliers with nearly the same name, or with the same e-mail address. `id` was added by the import. */
export const SupplierTwin = Type.Object({
  id: Id,
  name: Type.String(),
  twinId: Id,
  twinName: Type.String(),
})
export type SupplierTwin = Static<typeof SupplierTwin>
