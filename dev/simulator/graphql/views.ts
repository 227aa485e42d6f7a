import type { Shop } from '../shops/shop.ts'
import { productView, variantView } from './catalogue-views.ts'
import { orderView } from './order-views.ts'
import { subscriptionView } from './shop-views.ts'
import { itemView, levelView, locationView } from './stock-views.ts'
import type { ViewContext, Views } from './view.ts'

export function createViewContext(shop: Shop, scopes: readonly string[]): ViewContext {
  const views: Views = {
    product: (number) => productView(context, number),
    variant: (found) => variantView(context, found),
    item: (key) => itemView(context, key),
    level: (key, level) => levelView(context, key, level),
    location: (index) => locationView(context, index),
    order: (order) => orderView(context, order),
    subscription: (subscription) => subscriptionView(context, subscription),
  }
  const context: ViewContext = { shop, views, scopes }
  return context
}
