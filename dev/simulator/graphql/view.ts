import { GraphQLError } from 'graphql'
import type { FoundVariant } from '../shops/catalogue.ts'
import type { SlotKey } from '../shops/numbering.ts'
import type { Order } from '../shops/orders.ts'
import type { Shop } from '../shops/shop.ts'
import type { Level, LevelKey } from '../shops/stock.ts'
import type { Subscription } from '../webhooks/subscriptions.ts'

/** An object of the API. A field is a value, or a resolver that receives the field's arguments. */
export type View = Readonly<Record<string, unknown>>

/** The functions that make API objects of a shop. They reference each other, so each gets all of them. */
export type Views = {
  product: (number: number) => View | null
  variant: (found: FoundVariant | undefined) => View | null
  item: (key: SlotKey | undefined) => View | null
  level: (key: LevelKey, level: Level | undefined) => View | null
  location: (index: number) => View | null
  order: (order: Order | undefined) => View | null
  subscription: (subscription: Subscription) => View
}

/** The input of every view. */
export type ViewContext = { shop: Shop; views: Views; scopes: readonly string[] }

export const fail = (code: string, message: string) => new GraphQLError(message, { extensions: { code } })
