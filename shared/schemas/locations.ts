import { type Static, Type } from '@sinclair/typebox'
import { Gid } from './common.ts'

/** Where a shop keeps stock. */
export const Location = Type.Object({
  locationId: Gid('Location'),
  name: Type.String(),
  isActive: Type.Boolean(),
  isPrimary: Type.Boolean({ description: 'Where goods arrive when an order does not say' }),
})
export type Location = Static<typeof Location>
