import { randomUUID } from 'node:crypto'
import { writeBody } from '../webhooks/body.ts'
import { includeFields } from '../webhooks/include-fields.ts'
import type { Outbox } from '../webhooks/outbox.ts'
import type { ComplianceTopic, SubscribedTopic } from '../webhooks/topics.ts'
import { type Access, createAccess } from './access.ts'
import { type Catalogue, createCatalogue } from './catalogue.ts'
import { digitsOf, makeGid, type Namespace } from './ids.ts'
import type { Place } from './numbering.ts'
import { makeHistory, type Order } from './orders.ts'
import type { LocationFacts, Seed, ShopFacts } from './seed.ts'
import { type ShopState, seedOf } from './state.ts'
import { createStock, type Stock } from './stock.ts'

/** What all shops share. */
export type ShopServices = {
  namespace: Namespace
  outbox: Outbox
  /** Called whenever something that is kept has changed. */
  changed: () => void
  /** The app's own address, where it is told what the law wants; `undefined` while nobody has said it. */
  appUrl: () => string | undefined
}

/** What every part of a shop needs: its state, and what can be read from it. */
export type ShopCore = {
  state: ShopState
  domain: string
  namespace: Namespace
  seed: Seed
  facts: ShopFacts
  locations: readonly LocationFacts[]
  catalogue: Catalogue
  stock: Stock
  access: Access
  /** Every order, oldest first. */
  orders: () => readonly Order[]
  addOrder: (order: Order) => void
  changed: () => void
  /** Digits that nothing else has. */
  nextId: () => string
  gid: (type: string, digits: string) => string
  /** The variant of an id, which may be its digits. Throws when there is none. */
  variantPlace: (id: string) => Place
  locationIndex: (id: string) => number
  /** Tells those who have subscribed. Topics of one action in the shop share its event id. */
  tell: (topic: SubscribedTopic, payload: Readonly<Record<string, unknown>>, eventId?: string) => void
  /** Tells the app itself, subscribed or not. Throws while its address is not known. */
  tellApp: (topic: ComplianceTopic, payload: Readonly<Record<string, unknown>>) => void
}

export function createCore(state: ShopState, services: ShopServices): ShopCore {
  const { namespace, outbox, changed, appUrl } = services
  const { domain, openedAt } = state
  const seed = seedOf(state)
  const catalogue = createCatalogue(seed, state.products)
  const stock = createStock({ seed, catalogue, changed: state.levels, openedAt, now: () => new Date() })
  let every: Order[] | undefined
  const orders = () => {
    every ??= [...makeHistory(seed, createCatalogue(seed, new Map()), openedAt), ...state.orders]
    return every
  }

  return {
    state,
    domain,
    namespace,
    seed,
    facts: seed.facts,
    locations: seed.locations,
    catalogue,
    stock,
    access: createAccess(state.access, changed),
    orders,
    addOrder(order) {
      orders().push(order)
      state.orders.push(order)
      changed()
    },
    changed,
    nextId() {
      state.counter += 1
      return String(state.counter)
    },
    gid: (type, digits) => makeGid(namespace, type, digits),
    variantPlace(id) {
      const place = catalogue.variantPlace(digitsOf(namespace, 'ProductVariant', id))
      if (!place || !catalogue.variant(place)) throw new Error(`${domain} has no variant ${id}`)
      return place
    },
    locationIndex(id) {
      const digits = digitsOf(namespace, 'Location', id)
      const index = seed.locations.findIndex((location) => location.id === digits)
      if (index < 0) throw new Error(`${domain} has no location ${id}`)
      return index
    },
    tell(topic, payload, eventId = randomUUID()) {
      const wanted = state.subscriptions.filter((subscription) => subscription.topic === topic)
      if (wanted.length === 0) return
      const whole = writeBody(payload)
      for (const { id, address, includeFields: fields } of wanted) {
        const body = fields.length === 0 ? whole : writeBody(includeFields(payload, fields))
        outbox.post({ shop: domain, topic, address, subscriptionId: id, body, eventId })
      }
    },
    tellApp(topic, payload) {
      const url = appUrl()
      if (url === undefined) throw new Error('Nobody has said where the app is (appUrl)')
      const body = writeBody(payload)
      const address = `${url}/webhooks`
      outbox.post({ shop: domain, topic, address, subscriptionId: null, body, eventId: randomUUID() })
    },
  }
}
