import { locationPayload } from '../webhooks/shop-payloads.ts'
import type { ShopCore } from './core.ts'
import type { Location } from './locations.ts'
import { type Address, instant } from './seed.ts'

export type LocationInput = {
  name?: string
  phone?: string
  address?: Partial<Address>
  shipsInventory?: boolean
}

export type LocationChanges = {
  /** Adds an active location that stocks nothing. Returns its id. */
  addLocation: (input: LocationInput & { name: string }) => string
  editLocation: (id: string, edit: LocationInput) => void
  /** Hides the stock of a location that has nothing to ship; activating it shows the stock again. */
  deactivateLocation: (id: string) => void
  activateLocation: (id: string) => void
  /** Deletes a deactivated location. */
  deleteLocation: (id: string) => void
}

export function createLocationChanges(core: ShopCore): LocationChanges {
  const { locations, state } = core

  function save(place: number, location: Location): void {
    locations[place] = location
    state.locations.set(place, location)
    core.changed()
  }

  function find(id: string): { place: number; location: Location } {
    const place = core.locationIndex(id)
    const location = locations[place]
    if (!location) throw new Error(`${core.domain} has no location ${id}`)
    return { place, location }
  }

  const hasOpenOrders = (place: number) =>
    [...state.levels].some(([key, { committed }]) => key.endsWith(`.${place}`) && committed > 0)

  return {
    addLocation({ address = {}, ...input }) {
      const at = instant(new Date())
      const highest = locations.map(({ id }) => BigInt(id)).reduce((a, b) => (a > b ? a : b), 65_000_000_000n)
      const location: Location = {
        id: String(highest + 1n),
        isActive: true,
        shipsInventory: false,
        phone: '',
        createdAt: at,
        updatedAt: at,
        deactivatedAt: null,
        isDeleted: false,
        ...input,
        address: { ...core.facts.address, ...address },
      }
      save(locations.length, location)
      core.sendWebhook('LOCATIONS_CREATE', locationPayload(core, location))
      return core.gid('Location', location.id)
    },
    editLocation(id, { address = {}, ...edit }) {
      const { place, location } = find(id)
      const edited = {
        ...location,
        ...edit,
        address: { ...location.address, ...address },
        updatedAt: instant(new Date()),
      }
      save(place, edited)
      core.sendWebhook('LOCATIONS_UPDATE', locationPayload(core, edited))
    },
    deactivateLocation(id) {
      const { place, location } = find(id)
      if (!location.isActive) throw new Error('The location is deactivated already')
      if (hasOpenOrders(place))
        throw new Error('The location has unshipped orders: ship or cancel them first')
      const at = instant(new Date())
      const closed = { ...location, isActive: false, deactivatedAt: at, updatedAt: at }
      save(place, closed)
      core.sendWebhook('LOCATIONS_DEACTIVATE', locationPayload(core, closed))
    },
    activateLocation(id) {
      const { place, location } = find(id)
      if (location.isActive) throw new Error('The location is active already')
      const open = { ...location, isActive: true, deactivatedAt: null, updatedAt: instant(new Date()) }
      save(place, open)
      core.sendWebhook('LOCATIONS_ACTIVATE', locationPayload(core, open))
    },
    deleteLocation(id) {
      const { place, location } = find(id)
      if (location.isActive) throw new Error('Only a deactivated location can be deleted')
      save(place, { ...location, isDeleted: true })
      core.sendWebhook('LOCATIONS_DELETE', { id: BigInt(location.id) })
    },
  }
}
