import { type Static, Type } from '@sinclair/typebox'
import { choices, Email, Gid, Locale, LongText, Money, Nullable, Strict, Text, TimeZone } from './common.ts'
import { LabelFormat, LabelFormatPatch } from './labels.ts'

/** `last`: of the last receipt or typed cost; `average`: the moving average. */
export const CostWriteBack = choices('off', 'last', 'average')

/** The company details on purchase orders, and the formats of money and dates. */
export const Settings = Type.Object({
  companyName: Type.String(),
  address: Type.String(),
  phone: Type.String(),
  email: Type.String({ description: 'Reply address for suppliers' }),
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
    timeZone: TimeZone,
    locale: Locale,
    costWriteBack: CostWriteBack,
    overReceiptPercent: Type.Integer({
      minimum: 0,
      maximum: 100,
      rule: 'must be a whole number from 0 to 100',
    }),
    labelFormat: LabelFormatPatch,
    defaultLocationId: Nullable(Gid('Location')),
    countApprovalValue: Nullable(Money(3)),
    adjustmentReasons: Nullable(
      Type.Array(Text(200, 1), {
        minItems: 1,
        maxItems: 50,
        rule: 'must be a list of 1 to 50 different reasons, or null for the default ones',
      }),
    ),
    adjustmentReasonRequired: Type.Boolean(),
  }),
)
export type SettingsPatch = Static<typeof SettingsPatch>
