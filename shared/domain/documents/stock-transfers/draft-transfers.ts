import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import type { TransferDrafts, TransferDraftsInput } from '../../../schemas/transfer-suggestions.ts'
import { resolveLevelKeys } from '../../ledgers/stock/resolve.ts'
import { insertTransfer, requireTwoLocations } from './stock-transfers.ts'

const maxItems = 500

const Named = Type.Object({ gid: Type.String(), name: Type.String() })

/**
 * Creates pending transfers from chosen suggestions: one for each pair of locations, and further ones above 500 items.
 * The quantities are the merchant's; stock is checked when the goods are shipped. Throws same_location and the errors of
 * `resolveLevelKeys`.
 */
export function createTransferDrafts(
  db: Db,
  shopId: number,
  actor: string,
  { items }: TransferDraftsInput,
): Promise<TransferDrafts> {
  return db.transaction(async (tx) => {
    for (const [at, item] of items.entries()) requireTwoLocations(item, `/items/${at}/destinationLocationId`)
    const { variants, locations } = await resolveLevelKeys(tx, shopId, {
      variants: items.map(({ variantId }, at) => ({ id: variantId, path: `/items/${at}/variantId` })),
      locations: items.flatMap(({ sourceLocationId, destinationLocationId }, at) => [
        { id: sourceLocationId, path: `/items/${at}/sourceLocationId` },
        { id: destinationLocationId, path: `/items/${at}/destinationLocationId` },
      ]),
    })
    const names = await namesOf(tx, shopId, locations)
    const rows = items.map((item, at) => ({
      ...item,
      variant: variants[at] ?? 0,
      source: locations[at * 2] ?? 0,
      destination: locations[at * 2 + 1] ?? 0,
    }))
    const transfers: TransferDrafts['transfers'] = []
    for (const { first, lines } of transfersOf(rows)) {
      const { sourceLocationId, destinationLocationId } = first
      const { id } = await insertTransfer(
        tx,
        shopId,
        { ...first, notes: '', actor },
        lines.map(({ variant, quantity }) => [variant, quantity]),
      )
      transfers.push({
        id,
        sourceLocationId,
        sourceLocationName: names.get(sourceLocationId) ?? '',
        destinationLocationId,
        destinationLocationName: names.get(destinationLocationId) ?? '',
        itemCount: lines.length,
        quantity: lines.reduce((sum, { quantity }) => sum + quantity, 0),
      })
    }
    return { transfers }
  })
}

type Row = TransferDraftsInput['items'][number] & { variant: number; source: number; destination: number }

/** Groups by pair of locations, in the order of the request. */
function transfersOf(rows: readonly Row[]): { first: Row; lines: readonly Row[] }[] {
  const pairs = Map.groupBy(rows, ({ source, destination }) => `${source} ${destination}`)
  return [...pairs.values()].flatMap((ofPair) =>
    Array.from({ length: Math.ceil(ofPair.length / maxItems) }).flatMap((_, part) => {
      const lines = ofPair.slice(part * maxItems, (part + 1) * maxItems)
      return lines[0] ? [{ first: lines[0], lines }] : []
    }),
  )
}

async function namesOf(tx: Db, shopId: number, ids: readonly number[]): Promise<ReadonlyMap<string, string>> {
  const locations = await tx.any(sql.type(row(Named))`
    select gid, name from location where shop_id = ${shopId} and id = any(${sql.array([...new Set(ids)], 'int8')})
  `)
  return new Map(locations.map(({ gid, name }) => [gid, name]))
}
