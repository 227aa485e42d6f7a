import { type Static, Type } from '@sinclair/typebox'
import { choices, Gid, Id, Strict, Timestamp } from './common.ts'

/** Width × height in mm of a roll's labels, or a sheet of A4 with 3 × 8 labels of 70 × 37 mm. */
export const LabelFormatName = choices('62x29', '57x32', '50x25', 'a4-3x8')
export type LabelFormatName = Static<typeof LabelFormatName>

/** Dots per inch of the label printer. */
export const LabelDpi = Type.Union([Type.Literal(203), Type.Literal(300)], { rule: 'must be 203 or 300' })

export const LabelFormat = Type.Object({
  format: LabelFormatName,
  dpi: Type.Unsafe<Static<typeof LabelDpi>>({
    ...LabelDpi,
    description: 'Resolution of the label printer; bars are whole dots wide',
  }),
  price: Type.Boolean({ description: 'Prints the retail price' }),
})
export type LabelFormat = Static<typeof LabelFormat>

export const LabelFormatPatch = Type.Partial(
  Strict({ format: LabelFormatName, dpi: LabelDpi, price: Type.Boolean() }),
)

const maxVariants = 250

/** A larger file takes too long to render. */
export const maxLabelsOfFile = 1_000

/** The labels of one receipt, one order, or some variants. */
export const LabelQuery = Strict({
  receiptId: Type.Optional(Id),
  purchaseOrderId: Type.Optional(Id),
  variantIds: Type.Optional(
    Type.String({
      pattern: `^[\\w:/]{1,80}(,[\\w:/]{1,80}){0,${maxVariants - 1}}$`,
      rule: `must be a list of 1 to ${maxVariants} product variants, separated by commas`,
      description: 'Ids of the platform or the numbers that end them, as in 123,456',
    }),
  ),
  copies: Type.Optional(
    Type.String({
      pattern: `^(received|ordered|stock|[1-9]\\d{0,3}(,[1-9]\\d{0,3}){0,${maxVariants - 1}})$`,
      rule: 'must be received, ordered, stock, a whole number from 1 to 9999, or one for each of variantIds, separated by commas',
      description:
        'Labels for each line, or of each variant as in 2,1. By default: received of a receipt, ordered of an order, else 1',
    }),
  ),
  locationId: Type.Optional(Gid('Location')),
  format: Type.Optional(LabelFormatName),
  startAt: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 24,
      rule: 'must be a whole number from 1 to 24',
      description: 'The first free label of the first sheet of A4',
    }),
  ),
  from: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      rule: 'must be a whole number from 1 to 1 000 000 000',
      description: `The number of the first label in the file, which then ends after ${maxLabelsOfFile}`,
    }),
  ),
  skipWithoutCode: Type.Optional(
    Type.Boolean({ description: 'Leaves out products whose label cannot have a barcode' }),
  ),
})
export type LabelQuery = Static<typeof LabelQuery>

export const LabelCount = Type.Object({
  total: Type.Integer({ description: 'In all files' }),
  perFile: Type.Integer({ description: 'Labels that a file has at most' }),
})
export type LabelCount = Static<typeof LabelCount>

const LabelCode = Type.Object({
  kind: choices('ean13', 'code128'),
  text: Type.String(),
  /** The widths of bars and spaces in turn, in modules, one digit each: it begins and ends with a bar. */
  bars: Type.String(),
  /** Of one module of the printed code, in dots of the printer. */
  dots: Type.Integer(),
})
export type LabelCode = Static<typeof LabelCode>

const Label = Type.Object({
  title: Type.String(),
  variantTitle: Type.String(),
  sku: Type.String(),
  /** Formatted; empty when it is unknown or not printed. */
  price: Type.String(),
  code: LabelCode,
  copies: Type.Integer(),
})
export type Label = Static<typeof Label>

/** What the renderers of labels draw: copies of one label follow each other. */
export const LabelSheet = Type.Object({
  /** The time of the data; also the creation date of the PDF. */
  asOf: Timestamp,
  format: LabelFormatName,
  dpi: LabelDpi,
  startAt: Type.Integer(),
  labels: Type.Array(Label),
})
export type LabelSheet = Static<typeof LabelSheet>
