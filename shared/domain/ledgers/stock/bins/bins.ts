import { type Db, row, sql } from '../../../../db/db.ts'
import { unprocessable } from '../../../../errors.ts'
import { type BinsInput, SavedBins } from '../../../../schemas/bins.ts'
import { levelKey } from '../changes.ts'
import { resolveLevelKeys } from '../resolve.ts'

/** An empty bin removes it. */
export type BinToWrite = { variantId: number; locationId: number; bin: string }

type Fragment = ReturnType<typeof sql.fragment>

/** SQL: the bin of a variant at a location, given their row ids; empty without one. Without an alias that could hide theirs. */
export const binAt = (shopId: number, variantId: Fragment, locationId: Fragment) => sql.fragment`coalesce((
  select location_bin.bin from location_bin
  where location_bin.shop_id = ${shopId} and location_bin.variant_id = ${variantId}
    and location_bin.location_id = ${locationId}
), '')`

/** All bins or none. Throws duplicate_line and the errors of `resolveLevelKeys`. */
export function saveBins(db: Db, shopId: number, actor: string, { bins }: BinsInput): Promise<SavedBins> {
  return db.transaction(async (tx) => {
    const { variants, locations } = await resolveLevelKeys(tx, shopId, {
      variants: bins.map(({ variantId }, at) => ({ id: variantId, path: `/bins/${at}/variantId` })),
      locations: bins.map(({ locationId }, at) => ({ id: locationId, path: `/bins/${at}/locationId` })),
    })
    const rows = bins.map(({ bin }, at) => ({
      variantId: variants[at] ?? 0,
      locationId: locations[at] ?? 0,
      bin: bin ?? '',
    }))
    const first = new Map(rows.map((given, at) => [levelKey(given), at] as const).reverse())
    const details = rows.flatMap((given, at) => {
      const earlier = first.get(levelKey(given))
      const message = `repeats the product and location of entry ${earlier}`
      return earlier === at ? [] : [{ path: `/bins/${at}`, message }]
    })
    if (details.length > 0) {
      throw unprocessable(
        'duplicate_line',
        'A product has one bin at a location. Give each only once.',
        details,
      )
    }
    return writeBins(tx, shopId, actor, rows)
  })
}

/** Writes bins whose variants and locations differ, in one statement. An unchanged bin is not counted. */
export async function writeBins(
  tx: Db,
  shopId: number,
  actor: string,
  rows: readonly BinToWrite[],
): Promise<SavedBins> {
  return tx.one(sql.type(row(SavedBins))`
    with given as materialized (
      ${givenRows(rows)}
    ),
    removed as (
      delete from location_bin b
      using given
      where b.shop_id = ${shopId} and b.variant_id = given.variant_id and b.location_id = given.location_id
        and given.bin = ''
      returning b.variant_id
    ),
    saved as (
      insert into location_bin as b (shop_id, variant_id, location_id, bin, updated_at, updated_by)
      select ${shopId}, given.variant_id, given.location_id, given.bin, ${new Date().toISOString()}::timestamptz, ${actor}
      from given
      where given.bin <> ''
      order by given.variant_id, given.location_id
      on conflict (shop_id, variant_id, location_id) do update
      set bin = excluded.bin, updated_at = excluded.updated_at, updated_by = excluded.updated_by
      where b.bin <> excluded.bin
      returning b.variant_id
    )
    select (select count(*) from saved) as saved, (select count(*) from removed) as removed
  `)
}

/** What `writeBins` would change. */
export function compareBins(tx: Db, shopId: number, rows: readonly BinToWrite[]): Promise<SavedBins> {
  return tx.one(sql.type(row(SavedBins))`
    select count(*) filter (where given.bin <> '' and given.bin is distinct from b.bin) as saved,
      count(*) filter (where given.bin = '' and b.bin is not null) as removed
    from (${givenRows(rows)}) given
    left join location_bin b on b.shop_id = ${shopId} and b.variant_id = given.variant_id
      and b.location_id = given.location_id
  `)
}

const givenRows = (rows: readonly BinToWrite[]) => sql.fragment`
  select variant_id, location_id, bin
  from ${sql.unnest(
    rows.map(({ variantId, locationId, bin }) => [variantId, locationId, bin]),
    ['int8', 'int8', 'text'],
  )} as given (variant_id, location_id, bin)
`
