import { type Static, Type } from '@sinclair/typebox'

/** A fault of one row of an imported file. The header of the file is row 1. */
export const ImportFault = Type.Object({
  row: Type.Integer(),
  field: Type.String({ description: 'The column; empty when the fault concerns the whole row' }),
  message: Type.String(),
})
export type ImportFault = Static<typeof ImportFault>
