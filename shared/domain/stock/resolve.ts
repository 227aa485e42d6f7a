import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { type AppError, type Fault, unprocessable } from '../../errors.ts'
import { Id } from '../../schemas/common.ts'

const KnownVariant = Type.Object({ id: Id, gid: Type.String(), isTracked: Type.Boolean() })
const KnownLocation = Type.Object({ id: Id, gid: Type.String(), isActive: Type.Boolean() })
const Known = Type.Object({ variants: Type.Array(KnownVariant), locations: Type.Array(KnownLocation) })
type Known = Static<typeof Known>

/** Throws every fault: unknown_location (or inactive), unknown_variant (or deleted), untracked_variant. */
export async function resolveLevelKeys(
  db: Db,
  shopId: number,
  gids: { variantIds: readonly string[]; locationIds: readonly string[] },
  paths: { variantPath: (index: number) => string; locationPath: (index: number) => string },
): Promise<{ variants: number[]; locations: number[] }> {
  const { variants, locations } = await readKnown(db, shopId, gids)
  const variantOf = new Map(variants.map((variant) => [variant.gid, variant]))
  const locationOf = new Map(locations.map((location) => [location.gid, location]))
  const faults: (Fault & { code: keyof typeof messages })[] = []
  const resolved = {
    locations: gids.locationIds.map((gid, at) => {
      const location = locationOf.get(gid)
      const message = location ? 'is no longer in use' : 'is not a location of this shop'
      if (!location?.isActive)
        faults.push({ code: 'unknown_location', path: paths.locationPath(at), message })
      return location?.id ?? 0
    }),
    variants: gids.variantIds.map((gid, at) => {
      const variant = variantOf.get(gid)
      const path = paths.variantPath(at)
      if (!variant) faults.push({ code: 'unknown_variant', path, message: 'is not a variant of this shop' })
      else if (!variant.isTracked)
        faults.push({ code: 'untracked_variant', path, message: 'is not tracked by the platform' })
      return variant?.id ?? 0
    }),
  }
  if (faults[0]) throw refusal(faults[0].code, faults)
  return resolved
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
  { variantIds, locationIds }: { variantIds: readonly string[]; locationIds: readonly string[] },
): Promise<Known> {
  const variants = sql.array([...new Set(variantIds)], 'text')
  const locations = sql.array([...new Set(locationIds)], 'text')
  return db.one(sql.type(row(Known))`
    select variants, locations from resolve_level_keys(${shopId}, ${variants}, ${locations})
  `)
}
