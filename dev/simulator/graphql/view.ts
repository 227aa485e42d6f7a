import { GraphQLError } from 'graphql'
import type { FoundVariant } from '../shops/catalogue.ts'
import type { Place } from '../shops/numbering.ts'
import type { Order } from '../shops/orders.ts'
import type { Shop } from '../shops/shop.ts'
import type { Level, LevelPlace } from '../shops/stock.ts'
import type { Subscription } from '../webhooks/subscriptions.ts'

/** An object of the API. A field is a value, or a function of the field's arguments that gives it. */
export type View = Readonly<Record<string, unknown>>

/** How things of a shop look in the API. They lead to each other, so each is made from all. */
export type Views = {
  product: (number: number) => View | null
  variant: (found: FoundVariant | undefined) => View | null
  item: (place: Place | undefined) => View | null
  level: (place: LevelPlace, level: Level | undefined) => View | null
  location: (index: number) => View | null
  order: (order: Order | undefined) => View | null
  subscription: (subscription: Subscription) => View
}

/** What a view is made from. */
export type ViewContext = { shop: Shop; views: Views; scopes: readonly string[] }

export const fail = (code: string, message: string) => new GraphQLError(message, { extensions: { code } })
