import { type Static, Type } from '@sinclair/typebox'
import { Gid, ListOf, LongText, Nullable, Strict, Text } from './common.ts'
import { ImportFault } from './import-fault.ts'

/** Where a variant lies in a location: a shelf, a rack, a drawer. */
export const Bin = Text(40)

const BinInput = Strict({
  variantId: Gid('ProductVariant'),
  locationId: Gid('Location'),
  bin: Type.Union([Bin, Type.Null()], { rule: Bin.rule, description: 'Null or empty: none' }),
})

export const BinsInput = Strict({
  bins: ListOf(BinInput, 1, 1000, 'bins'),
})
export type BinsInput = Static<typeof BinsInput>

export const SavedBins = Type.Object({
  saved: Type.Integer({ description: 'Bins that were given or changed' }),
  removed: Type.Integer(),
})
export type SavedBins = Static<typeof SavedBins>

export const BinImport = Strict({
  csv: LongText(900_000),
  locationId: Type.Optional(
    Nullable(Type.Unsafe<string>({ ...Gid('Location'), description: 'Of rows without a location' })),
  ),
  dryRun: Type.Boolean({ description: 'Validates the file and reports the result without saving' }),
})
export type BinImport = Static<typeof BinImport>

export const ImportedBins = Type.Object({
  rows: Type.Integer(),
  ...SavedBins.properties,
  faults: Type.Array(ImportFault),
})
export type ImportedBins = Static<typeof ImportedBins>
