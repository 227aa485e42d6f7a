import { type Static, Type } from '@sinclair/typebox'
import { Id, LongText, Strict } from './common.ts'
import { ImportFault } from './import-fault.ts'

export const PriceImport = Strict({
  csv: LongText(900_000),
  dryRun: Type.Boolean({ description: 'Validates the file and reports the result without saving' }),
  supplierId: Type.Optional(Id),
})
export type PriceImport = Static<typeof PriceImport>

export const ImportedPrices = Type.Object({
  rows: Type.Integer(),
  created: Type.Integer({ description: 'Supplier products' }),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  faults: Type.Array(ImportFault),
})
export type ImportedPrices = Static<typeof ImportedPrices>
