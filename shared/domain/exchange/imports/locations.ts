import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'
import type { Terms } from './load.ts'
import { supplierKey } from './match-suppliers.ts'

const Place = Type.Object({ id: Id, gid: Type.String(), name: Type.String(), isPrimary: Type.Boolean() })

export type Places = {
  fallback: number | null
  /** The id of a location by its name or platform id, else the chosen one, else the primary; undefined for an unknown name. */
  find: (name: string) => number | null | undefined
}

export async function readLocations(
  tx: Db,
  { shopId, defaults }: Pick<Terms, 'shopId' | 'defaults'>,
): Promise<Places> {
  const places = await tx.any(sql.type(row(Place))`
    select id, gid, name, is_primary from location where shop_id = ${shopId} order by is_active desc, id
  `)
  const chosen = places.find(({ gid }) => gid === defaults.locationId)
  const fallback = (chosen ?? places.find(({ isPrimary }) => isPrimary) ?? places[0])?.id ?? null
  const byName = new Map([...places].reverse().map(({ name, id }) => [supplierKey(name), id]))
  return {
    fallback,
    find: (name) => {
      const known = name === '' ? undefined : byName.get(supplierKey(name))
      if (known !== undefined) return known
      // an id of the platform; a location that is gone counts as none
      if (/^\d+$/.test(name)) return places.find(({ gid }) => gid.endsWith(`/${name}`))?.id ?? fallback
      return name !== '' && !chosen ? undefined : fallback
    },
  }
}
