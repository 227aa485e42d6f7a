import { type Static, Type } from '@sinclair/typebox'
import {
  choices,
  Gid,
  Id,
  LongText,
  Message,
  Nullable,
  pageFields,
  Strict,
  Text,
  Timestamp,
} from './common.ts'
import { ImportFault } from './import-fault.ts'

/** What the numbers of a file are: available pieces, pieces on hand, or pieces to add. */
export const StockImportBasis = choices('available', 'on_hand', 'adjust')
export type StockImportBasis = Static<typeof StockImportBasis>

/** `locationId` and `reason` are those of rows without one. */
export const StockImportInput = Strict({
  csv: LongText(900_000),
  basis: StockImportBasis,
  locationId: Type.Optional(Nullable(Gid('Location'))),
  reason: Type.Optional(Text(200)),
  dryRun: Type.Boolean({ description: 'Validates the file and reports the result without changing stock' }),
})
export type StockImportInput = Static<typeof StockImportInput>

export const maxShownChanges = 500

const StockImportChange = Type.Object({
  row: Type.Integer({ description: 'As a spreadsheet numbers it' }),
  sku: Type.String(),
  title: Type.String(),
  locationName: Type.String(),
  previousQuantity: Type.Integer({ description: 'In the terms of `basis`; of `adjust`, what is available' }),
  newQuantity: Type.Integer(),
})
export type StockImportChange = Static<typeof StockImportChange>

export const StockImportOutcome = Type.Object({
  id: Nullable(
    Type.Integer({ description: 'Of the import, which can be reverted; null when nothing changed' }),
  ),
  rows: Type.Integer(),
  changed: Type.Integer({ description: 'Levels that get another quantity' }),
  added: Type.Integer({ description: 'Pieces of the levels that rise' }),
  removed: Type.Integer({ description: 'Pieces of the levels that fall' }),
  changes: Type.Array(StockImportChange, { description: `The first ${maxShownChanges}` }),
  faults: Type.Array(ImportFault),
})
export type StockImportOutcome = Static<typeof StockImportOutcome>

export const StockImport = Type.Object({
  id: Id,
  basis: StockImportBasis,
  rows: Type.Integer(),
  changed: Type.Integer(),
  added: Type.Integer(),
  removed: Type.Integer(),
  createdBy: Type.String(),
  createdAt: Timestamp,
  revertedBy: Type.String({ description: 'Empty unless the import is reverted' }),
  revertedAt: Nullable(Timestamp),
})
export type StockImport = Static<typeof StockImport>

export const StockImportFilter = Strict(pageFields)

export const StockImportRevert = Nullable(
  Strict(
    {
      allowNegative: Type.Optional(
        Type.Boolean({ description: 'Allows levels below zero, where goods were sold since' }),
      ),
    },
    { rule: 'must be an object' },
  ),
)
export type StockImportRevert = Static<typeof StockImportRevert>

export const RevertedStockImport = Type.Object({
  id: Id,
  changed: Type.Integer({ description: 'Levels that were changed back' }),
  skipped: Type.Integer({
    description:
      'Levels that stay as they are: the product is deleted or not tracked, or the location is not in use',
  }),
  alreadyApplied: Type.Boolean({
    description: 'The import was reverted before; this request moved no stock',
  }),
  ...Message.properties,
})
export type RevertedStockImport = Static<typeof RevertedStockImport>
