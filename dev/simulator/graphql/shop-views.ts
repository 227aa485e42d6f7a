import { expandScopes, scopeDescriptions } from '../shops/scopes.ts'
import { instant } from '../shops/seed.ts'
import { apiVersion } from '../webhooks/delivery.ts'
import type { Subscription } from '../webhooks/subscriptions.ts'
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
