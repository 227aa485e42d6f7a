import { type Static, Type } from '@sinclair/typebox'
import { Gid } from './common.ts'

/** A location of the shop that holds stock. */
export const Location = Type.Object({
  locationId: Gid('Location'),
  name: Type.String(),
  isActive: Type.Boolean(),
  isPrimary: Type.Boolean({ description: 'Goods of an order without a destination arrive here' }),
})
export type Location = Static<typeof Location>
