import { type Static, Type } from '@sinclair/typebox'
import { Email, Gid, Locale, LongText, Nullable, Text, TimeZone } from './common.ts'

const strict = { additionalProperties: false }

/** What suppliers are told about the company, and how money and days are written. */
export const Settings = Type.Object({
  companyName: Type.String(),
  address: Type.String(),
  phone: Type.String(),
  email: Type.String({ description: 'Where suppliers answer to' }),
  currency: Type.String({ description: 'ISO 4217, as in EUR; what the platform says' }),
  timeZone: Type.String({ description: 'As in Europe/Paris; a day of the shop is a day there' }),
  locale: Type.String({ description: 'Of documents, as in fr-FR' }),
  defaultLocationId: Nullable(
    Type.String({
      description:
        'Chosen as the one where goods arrive when an order does not say; null: the platform chooses',
    }),
  ),
})
export type Settings = Static<typeof Settings>

/** `null` and an empty text both mean "not given". */
export const SettingsPatch = Type.Partial(
  Type.Object({
    companyName: Nullable(Text(200)),
    address: Nullable(LongText(1000)),
    phone: Nullable(Text(50)),
    email: Nullable(Email),
    timeZone: TimeZone,
    locale: Locale,
    defaultLocationId: Nullable(Gid('Location')),
  }),
  strict,
)
export type SettingsPatch = Static<typeof SettingsPatch>
