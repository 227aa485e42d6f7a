import { type Static, Type } from '@sinclair/typebox'

/** What suppliers are told about the company, and how money and days are written. */
export const Settings = Type.Object({
  companyName: Type.String(),
  address: Type.String(),
  phone: Type.String(),
  email: Type.String({ description: 'Where suppliers answer to' }),
  currency: Type.String({ description: 'ISO 4217, as in EUR' }),
  timeZone: Type.String({ description: 'As in Europe/Paris; a day of the shop is a day there' }),
  locale: Type.String({ description: 'Of documents, as in fr-FR' }),
})
export type Settings = Static<typeof Settings>
