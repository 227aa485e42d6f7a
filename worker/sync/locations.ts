import { retireLocations, upsertLocations } from '../../shared/domain/records/catalogue/locations.ts'
import { storeShopDetails } from '../../shared/domain/records/shops/shop-details.ts'
import { documents } from '../platform/documents.ts'
import type { ReadSyncPage } from './sync-page.ts'

const pageSize = 100

/** Reads the shop's details and its locations. Locations on none of the pages are retired. */
export const readLocations: ReadSyncPage = async ({ api, shopId, sync, signal }) => {
  const variables = { first: pageSize, after: sync.cursor }
  const { shop, primary, locations } = await api.query(documents.locations, variables, { signal })
  const { hasNextPage, endCursor } = locations.pageInfo
  const next = hasNextPage ? endCursor : null
  return {
    next,
    async store(tx) {
      await storeShopDetails(tx, shopId, {
        name: shop.name,
        email: shop.email,
        currency: shop.currencyCode,
        timeZone: shop.ianaTimezone,
      })
      await upsertLocations(
        tx,
        shopId,
        locations.nodes.map(({ id, ...location }) => ({
          gid: id,
          ...location,
          isPrimary: id === primary?.id,
        })),
      )
      if (next === null) await retireLocations(tx, shopId, sync.startedAt)
      return { locations: sync.counts.locations + locations.nodes.length }
    },
  }
}
