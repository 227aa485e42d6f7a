import { type Static, Type } from '@sinclair/typebox'
import { Timestamp } from './common.ts'
import { PaperSize } from './settings.ts'

/** What to take from where for a transfer, in the order of bins. */
export const PickListDocument = Type.Object({
  /** The time of the data; also the creation date of the PDF. */
  asOf: Timestamp,
  transferId: Type.Integer(),
  /** Of numbers and dates. */
  locale: Type.String(),
  language: Type.String(),
  timeZone: Type.String(),
  paper: PaperSize,
  shopName: Type.String(),
  sourceName: Type.String(),
  destinationName: Type.String(),
  createdAt: Timestamp,
  notes: Type.String(),
  lines: Type.Array(
    Type.Object({
      /** Empty without one. */
      bin: Type.String(),
      sku: Type.String(),
      title: Type.String(),
      /** The text and the bars of the code, as on labels; null without one. */
      code: Type.Union([Type.Object({ text: Type.String(), bars: Type.String() }), Type.Null()]),
      quantity: Type.Integer(),
    }),
  ),
})
export type PickListDocument = Static<typeof PickListDocument>
