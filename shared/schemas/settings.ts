import { type Static, Type } from '@sinclair/typebox'
import {
  choices,
  Email,
  FileContent,
  Gid,
  Id,
  ListOf,
  Locale,
  LongText,
  Money,
  Nullable,
  Strict,
  Text,
  Timestamp,
  TimeZone,
  Whole,
} from './common.ts'
import { LabelFormat, LabelFormatPatch } from './labels.ts'

/** `last`: of the last receipt or typed cost; `average`: the moving average. */
export const CostWriteBack = choices('off', 'last', 'average')

/** `auto`: that of the country of the shop's primary location. */
export const Paper = choices('auto', 'a4', 'letter')

export const PaperSize = choices('a4', 'letter')
export type PaperSize = Static<typeof PaperSize>

/** The logo of documents, as it is printed. */
export const Logo = Type.Object({
  id: Id,
  width: Type.Integer({ description: 'Pixels' }),
  height: Type.Integer({ description: 'Pixels' }),
  size: Type.Integer({ description: 'Bytes' }),
  createdAt: Timestamp,
})
export type Logo = Static<typeof Logo>

/** The company details on purchase orders, and the formats of money and dates. */
export const Settings = Type.Object({
  companyName: Type.String(),
  address: Type.String(),
  phone: Type.String(),
  email: Type.String({ description: 'Reply address for suppliers' }),
  taxId: Type.String({ description: 'VAT or tax number, as on documents for suppliers' }),
  orderedBy: Type.String({ description: 'The buyer whose name is on orders' }),
  mailCopyTo: Type.String({ description: 'Gets a copy of each e-mail to a supplier; empty: none' }),
  paper: Type.Unsafe<Static<typeof Paper>>({
    ...Paper,
    description: 'Of documents; auto: US Letter where it is usual in the country of the primary location',
  }),
  paperInUse: Type.Unsafe<PaperSize>({ ...PaperSize, description: 'The paper that `paper` leads to' }),
  logo: Nullable(Logo),
  currency: Type.String({ description: 'ISO 4217, as in EUR; set by the platform' }),
  timeZone: Type.String({ description: 'As in Europe/Paris; defines the days of the shop' }),
  locale: Type.String({ description: 'Locale of documents, as in fr-FR' }),
  costWriteBack: Type.Unsafe<Static<typeof CostWriteBack>>({
    ...CostWriteBack,
    description: 'Which cost of a variant the app writes to the platform when it changes',
  }),
  overReceiptPercent: Type.Integer({
    description: 'How much more than ordered of a line may arrive without a question, in percent',
  }),
  labelFormat: LabelFormat,
  defaultLocationId: Nullable(
    Type.String({
      description:
        'Goods of an order without a destination arrive here; null: the primary location of the platform',
    }),
  ),
  countApprovalValue: Nullable(
    Type.Number({ description: 'A count whose variances are worth more needs an approval; null: none does' }),
  ),
  adjustmentReasons: Type.Array(Type.String(), {
    description: 'The reasons of stock changes, for the admin',
  }),
  isSetupHidden: Type.Boolean({
    description: 'The admin does not show its first steps: they are done, or a person has hidden them',
  }),
  adjustmentReasonRequired: Type.Boolean({
    description: 'Each change of stock and each count with a variance needs a reason of the list',
  }),
})
export type Settings = Static<typeof Settings>

/** `null` and an empty text both mean "not given". */
export const SettingsPatch = Type.Partial(
  Strict({
    companyName: Nullable(Text(200)),
    address: Nullable(LongText(1000)),
    phone: Nullable(Text(50)),
    email: Nullable(Email),
    taxId: Nullable(Text(50)),
    orderedBy: Nullable(Text(100)),
    mailCopyTo: Nullable(Email),
    paper: Paper,
    timeZone: TimeZone,
    locale: Locale,
    costWriteBack: CostWriteBack,
    overReceiptPercent: Whole(0, 100),
    labelFormat: LabelFormatPatch,
    defaultLocationId: Nullable(Gid('Location')),
    countApprovalValue: Nullable(Money(3)),
    adjustmentReasons: Nullable(
      ListOf(Text(200, 1), 1, 50, 'different reasons, or null for the default ones'),
    ),
    isSetupHidden: Type.Boolean(),
    adjustmentReasonRequired: Type.Boolean(),
  }),
)
export type SettingsPatch = Static<typeof SettingsPatch>

export const maxLogoBytes = 1024 * 1024
/** Of each side, in pixels. */
export const maxLogoSide = 2_000

export const LogoInput = Strict({
  content: FileContent,
})
export type LogoInput = Static<typeof LogoInput>

/** 1 MiB in base64, and room for the field's name. */
export const maxLogoBody = Math.ceil(maxLogoBytes / 3) * 4 + 1024
