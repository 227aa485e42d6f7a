import { type Static, Type } from '@sinclair/typebox'
import { Gid } from './common.ts'

/** As the platform has it; each part may be empty. */
export const LocationAddress = Type.Object({
  address1: Type.String(),
  address2: Type.String(),
  city: Type.String(),
  province: Type.String(),
  zip: Type.String(),
  country: Type.String(),
  countryCode: Type.String({ description: 'ISO 3166-1 alpha-2, as in GB' }),
  phone: Type.String(),
})
export type LocationAddress = Static<typeof LocationAddress>

/** A location of the shop that holds stock. */
export const Location = Type.Object({
  locationId: Gid('Location'),
  name: Type.String(),
  isActive: Type.Boolean(),
  isPrimary: Type.Boolean({ description: 'Goods of an order without a destination arrive here' }),
  address: LocationAddress,
  addressLines: Type.Array(Type.String(), {
    description: 'The address as on purchase orders, without the phone; empty when the platform has none',
  }),
})
export type Location = Static<typeof Location>
