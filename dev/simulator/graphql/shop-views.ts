import type { Order, OrderLine } from '../shops/orders.ts'
import { expandScopes, scopeDescriptions } from '../shops/scopes.ts'
import { instant } from '../shops/seed.ts'
import { apiVersion } from '../webhooks/delivery.ts'
import type { Subscription } from '../webhooks/subscriptions.ts'
import { connection, listed, type PageArgs } from './listing.ts'
import type { View, ViewContext } from './view.ts'

export function shopView({ shop }: ViewContext): View {
  const { facts, domain } = shop
  const at = instant(shop.state.openedAt)
  const { countryCode, ...lines } = facts.address
  const address = {
    __typename: 'ShopAddress',
    id: shop.gid('ShopAddress', facts.id),
    ...lines,
    company: facts.name,
    phone: facts.phone,
    countryCode,
    countryCodeV2: countryCode,
    formatted: [facts.name, lines.address1, `${lines.city} ${lines.zip}`, lines.country],
  }
  return {
    __typename: 'Shop',
    id: shop.gid('Shop', facts.id),
    name: facts.name,
    email: facts.email,
    contactEmail: facts.email,
    myshopifyDomain: domain,
    primaryDomain: {
      __typename: 'Domain',
      id: shop.gid('Domain', facts.id),
      host: domain,
      url: `https://${domain}`,
    },
    url: `https://${domain}`,
    currencyCode: facts.currency,
    ianaTimezone: facts.timeZone,
    plan: { displayName: 'Basic', publicDisplayName: 'Basic', partnerDevelopment: true },
    shopAddress: address,
    billingAddress: address,
    createdAt: at,
    updatedAt: at,
  }
}

export function installationView({ shop, scopes }: ViewContext, apiKey: string): View {
  return {
    __typename: 'AppInstallation',
    id: shop.gid('AppInstallation', shop.facts.id),
    accessScopes: expandScopes(scopes).map((handle) => ({
      handle,
      description: scopeDescriptions[handle] ?? handle,
    })),
    app: {
      __typename: 'App',
      id: shop.gid('App', '1'),
      apiKey,
      embedded: true,
      handle: 'quartermaster',
      title: 'Quartermaster',
    },
  }
}

export function orderView(context: ViewContext, order: Order | undefined): View | null {
  if (!order) return null
  const { shop } = context
  return {
    __typename: 'Order',
    id: shop.gid('Order', order.id),
    legacyResourceId: order.id,
    name: `#${order.number}`,
    createdAt: order.createdAt,
    processedAt: order.createdAt,
    updatedAt: order.updatedAt,
    cancelledAt: order.cancelledAt,
    closed: false,
    test: order.isTest,
    currencyCode: shop.facts.currency,
    lineItems: (args: PageArgs) =>
      connection(
        args,
        listed(order.lines, ({ id }) => id.padStart(20, '0')),
        (line) => lineView(context, line),
      ),
  }
}

/** Deleted products and variants are null; the line still has their titles. */
function lineView({ shop, views }: ViewContext, line: OrderLine): View {
  const { catalogue } = shop
  const product = catalogue.productNumber(line.productId ?? '')
  const variant = catalogue.variantKey(line.variantId ?? '')
  return {
    __typename: 'LineItem',
    id: shop.gid('LineItem', line.id),
    title: line.title,
    variantTitle: line.variantTitle,
    name: line.variantTitle ? `${line.title} - ${line.variantTitle}` : line.title,
    sku: line.sku,
    vendor: line.vendor,
    quantity: line.quantity,
    currentQuantity: line.quantity,
    isGiftCard: line.isGiftCard,
    requiresShipping: line.requiresShipping,
    product: () => (product === undefined ? null : views.product(product)),
    variant: () => (variant ? views.variant(catalogue.variant(variant)) : null),
  }
}

export function subscriptionView({ shop }: ViewContext, subscription: Subscription): View {
  const { id, topic, address, format, includeFields, createdAt, updatedAt } = subscription
  return {
    __typename: 'WebhookSubscription',
    id: shop.gid('WebhookSubscription', id),
    legacyResourceId: id,
    topic,
    uri: address,
    callbackUrl: address,
    endpoint: { __typename: 'WebhookHttpEndpoint', callbackUrl: address },
    format,
    filter: null,
    includeFields,
    metafieldNamespaces: [],
    name: null,
    apiVersion: { handle: apiVersion, displayName: apiVersion, supported: true },
    createdAt,
    updatedAt,
  }
}
