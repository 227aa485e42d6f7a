import { randomUUID } from 'node:crypto'
import { writeBody } from '../webhooks/body.ts'
import { includeFields } from '../webhooks/include-fields.ts'
import type { Outbox } from '../webhooks/outbox.ts'
import type { ComplianceTopic, SubscribedTopic } from '../webhooks/topics.ts'
import { type Access, createAccess } from './access.ts'
import { type Catalogue, createCatalogue } from './catalogue.ts'
import { digitsOf, makeGid, type Namespace } from './ids.ts'
import { type Location, listLocations } from './locations.ts'
import type { SlotKey } from './numbering.ts'
import { createOrderBook, type OrderBook } from './order-book.ts'
import { makeHistory } from './order-history.ts'
import { pictureAddress } from './pictures.ts'
import type { Product, Seed, ShopFacts } from './seed.ts'
import { type ShopState, seedOf } from './state.ts'
import { createStock, type Stock } from './stock.ts'

/** Services that all shops share. */
export type ShopServices = {
  namespace: Namespace
  outbox: Outbox
  /** Called after every change of stored state. */
  changed: () => void
  /** The app's address, which receives compliance webhooks; `undefined` when it is not known. */
  appUrl: () => string | undefined
  /** The simulator's own origin. */
  origin: () => string
}

/** The state of a shop and functions that read it, used by every part of the shop. */
export type ShopCore = OrderBook & {
  state: ShopState
  domain: string
  namespace: Namespace
  seed: Seed
  facts: ShopFacts
  /** All locations, deleted ones included: the place in this list identifies a location inside the simulator. */
  locations: Location[]
  catalogue: Catalogue
  stock: Stock
  access: Access
  changed: () => void
  /** Returns digits that are unique in the shop. */
  nextId: () => string
  gid: (type: string, digits: string) => string
  /** The address of a product's picture. */
  pictureOf: (number: number, product: Product) => string | null
  /** Finds a variant by its id or the digits of its id. Throws when there is none. */
  variantKey: (id: string) => SlotKey
  locationIndex: (id: string) => number
  /** Sends a webhook to each subscription of the topic. Webhooks of one action in the shop share an event id. */
  sendWebhook: (topic: SubscribedTopic, payload: Readonly<Record<string, unknown>>, eventId?: string) => void
  /** Sends a webhook to the app's own address without a subscription. Throws while the address is unknown. */
  sendComplianceWebhook: (topic: ComplianceTopic, payload: Readonly<Record<string, unknown>>) => void
}

export function createCore(state: ShopState, services: ShopServices): ShopCore {
  const { namespace, outbox, changed, appUrl, origin } = services
  const { domain, openedAt } = state
  const seed = seedOf(state)
  const catalogue = createCatalogue(seed, state.products)
  const locations = listLocations(seed, state.locations, openedAt)
  const stock = createStock({
    seed,
    catalogue,
    locations,
    changed: state.levels,
    openedAt,
    now: () => new Date(),
  })
  const history = () => makeHistory(seed, createCatalogue(seed, new Map()), openedAt)

  return {
    ...createOrderBook({ state, namespace, history, changed }),
    state,
    domain,
    namespace,
    seed,
    facts: seed.facts,
    locations,
    catalogue,
    stock,
    access: createAccess(state.access, changed),
    changed,
    nextId() {
      state.counter += 1
      return String(state.counter)
    },
    gid: (type, digits) => makeGid(namespace, type, digits),
    pictureOf: (number, { picture }) => (picture === undefined ? pictureAddress(origin(), number) : picture),
    variantKey(id) {
      const key = catalogue.variantKey(digitsOf(namespace, 'ProductVariant', id))
      if (!key || !catalogue.variant(key)) throw new Error(`${domain} has no variant ${id}`)
      return key
    },
    locationIndex(id) {
      const digits = digitsOf(namespace, 'Location', id)
      const index = locations.findIndex(({ id: other, isDeleted }) => other === digits && !isDeleted)
      if (index < 0) throw new Error(`${domain} has no location ${id}`)
      return index
    },
    sendWebhook(topic, payload, eventId = randomUUID()) {
      const subscribed = state.subscriptions.filter((subscription) => subscription.topic === topic)
      if (subscribed.length === 0) return
      const fullBody = writeBody(payload)
      for (const { id, address, includeFields: fields } of subscribed) {
        const body = fields.length === 0 ? fullBody : writeBody(includeFields(payload, fields))
        outbox.post({ shop: domain, topic, address, subscriptionId: id, body, eventId })
      }
    },
    sendComplianceWebhook(topic, payload) {
      const url = appUrl()
      if (url === undefined) throw new Error('The address of the app (appUrl) is not set')
      const body = writeBody(payload)
      const address = `${url}/webhooks`
      outbox.post({ shop: domain, topic, address, subscriptionId: null, body, eventId: randomUUID() })
    },
  }
}
