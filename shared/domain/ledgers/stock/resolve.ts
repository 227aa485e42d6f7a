import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { type AppError, type Fault, unprocessable } from '../../../errors.ts'
import { Id } from '../../../schemas/common.ts'

const KnownVariant = Type.Object({ id: Id, gid: Type.String(), isTracked: Type.Boolean() })
const KnownLocation = Type.Object({ id: Id, gid: Type.String(), isActive: Type.Boolean() })
const Known = Type.Object({ variants: Type.Array(KnownVariant), locations: Type.Array(KnownLocation) })
type Known = Static<typeof Known>

/** An id of the platform, and its path in the request. */
type GivenId = { id: string; path: string }

/** The row ids. Throws every fault: unknown_location (or inactive), unknown_variant (or deleted), untracked_variant. */
export async function resolveLevelKeys(
  db: Db,
  shopId: number,
  { variants = [], locations = [] }: { variants?: readonly GivenId[]; locations?: readonly GivenId[] },
): Promise<{ variants: number[]; locations: number[] }> {
  const known = await readKnown(db, shopId, variants, locations)
  const variantOf = new Map(known.variants.map((variant) => [variant.gid, variant]))
  const locationOf = new Map(known.locations.map((location) => [location.gid, location]))
  const faults: (Fault & { code: keyof typeof messages })[] = []
  const resolved = {
    locations: locations.map(({ id, path }) => {
      const location = locationOf.get(id)
      const message = location ? 'is no longer in use' : 'is not a location of this shop'
      if (!location?.isActive) faults.push({ code: 'unknown_location', path, message })
      return location?.id ?? 0
    }),
    variants: variants.map(({ id, path }) => {
      const variant = variantOf.get(id)
      if (!variant) faults.push({ code: 'unknown_variant', path, message: 'is not a variant of this shop' })
      else if (!variant.isTracked)
        faults.push({ code: 'untracked_variant', path, message: 'is not tracked by the platform' })
      return variant?.id ?? 0
    }),
  }
  if (faults[0]) throw refusal(faults[0].code, faults)
  return resolved
}

/** The row id of a request's `locationId`. Throws unknown_location for one that the shop does not have or no longer uses. */
export async function resolveLocation(db: Db, shopId: number, locationGid: string): Promise<number> {
  const { locations } = await resolveLevelKeys(db, shopId, {
    locations: [{ id: locationGid, path: '/locationId' }],
  })
  return locations[0] ?? 0
}

const messages = {
  unknown_location: 'A location in this request does not exist or is not in use.',
  unknown_variant: 'A product in this request is not in this shop.',
  untracked_variant:
    'The platform does not track the stock of a product in this request. Turn on tracking in its admin.',
}

function refusal(code: keyof typeof messages, faults: readonly Fault[]): AppError {
  const details = faults.map(({ path, message }) => ({ path, message }))
  return unprocessable(code, messages[code], details)
}

function readKnown(
  db: Db,
  shopId: number,
  variants: readonly GivenId[],
  locations: readonly GivenId[],
): Promise<Known> {
  const gidsOf = (given: readonly GivenId[]) => sql.array([...new Set(given.map(({ id }) => id))], 'text')
  return db.one(sql.type(row(Known))`
    select variants, locations
    from resolve_level_keys(${shopId}, ${gidsOf(variants)}, ${gidsOf(locations)})
  `)
}
