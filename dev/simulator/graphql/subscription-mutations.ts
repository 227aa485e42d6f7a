import { parseGid } from '../shops/ids.ts'
import { allows } from '../shops/scopes.ts'
import { instant } from '../shops/seed.ts'
import { isOnThisMachine } from '../webhooks/send.ts'
import type { Subscription } from '../webhooks/subscriptions.ts'
import { type SubscribedTopic, topicPath, topicScope } from '../webhooks/topics.ts'
import type { View, ViewContext } from './view.ts'

type Input = {
  callbackUrl?: string | null
  uri?: string | null
  format?: 'JSON' | 'XML' | null
  includeFields?: string[] | null
}
type CreateArgs = { topic: SubscribedTopic; webhookSubscription: Input }
type UpdateArgs = { id: string; webhookSubscription: Input }

const addressField = ['webhookSubscription', 'callbackUrl']
const formatField = ['webhookSubscription', 'format']
const jsonOnly = 'The simulator sends JSON only'

/** The mutations with which an app manages its webhook subscriptions. */
export function createSubscriptionMutations({ shop, views, scopes }: ViewContext): View {
  const { state } = shop
  const refuse = (field: string[], message: string) => ({
    webhookSubscription: null,
    userErrors: [{ field, message }],
  })
  const find = (id: string) => {
    const gid = parseGid(shop.namespace, id)
    return state.subscriptions.find(
      (subscription) => gid?.type === 'WebhookSubscription' && subscription.id === gid.id,
    )
  }
  const isAddressTaken = (topic: string, address: string, except?: Subscription) =>
    state.subscriptions.some(
      (other) => other !== except && other.topic === topic && other.address === address,
    )

  return {
    webhookSubscriptionCreate({ topic, webhookSubscription: input }: CreateArgs) {
      const scope = topicScope(topic)
      if (scope !== undefined && !allows(scopes, scope))
        return refuse(
          ['topic'],
          `You do not have permission to create or update webhooks with ${topicPath(topic)} topic.`,
        )
      const address = input.uri ?? input.callbackUrl ?? ''
      if (input.format === 'XML') return refuse(formatField, jsonOnly)
      const addressError = checkAddress(address)
      if (addressError) return refuse(addressField, addressError)
      if (isAddressTaken(topic, address))
        return refuse(addressField, 'Address for this topic has already been taken')
      const at = instant(new Date())
      const subscription: Subscription = {
        id: shop.nextId(),
        topic,
        address,
        format: 'JSON',
        includeFields: input.includeFields ?? [],
        createdAt: at,
        updatedAt: at,
      }
      state.subscriptions.push(subscription)
      shop.changed()
      return { webhookSubscription: views.subscription(subscription), userErrors: [] }
    },
    webhookSubscriptionUpdate({ id, webhookSubscription: input }: UpdateArgs) {
      const subscription = find(id)
      if (!subscription) return refuse(['id'], 'Webhook subscription does not exist')
      const address = input.uri ?? input.callbackUrl ?? subscription.address
      if (input.format === 'XML') return refuse(formatField, jsonOnly)
      const addressError = checkAddress(address)
      if (addressError) return refuse(addressField, addressError)
      if (isAddressTaken(subscription.topic, address, subscription))
        return refuse(addressField, 'Address for this topic has already been taken')
      Object.assign(subscription, {
        address,
        includeFields: input.includeFields ?? subscription.includeFields,
        updatedAt: instant(new Date()),
      })
      shop.changed()
      return { webhookSubscription: views.subscription(subscription), userErrors: [] }
    },
    webhookSubscriptionDelete({ id }: { id: string }) {
      const subscription = find(id)
      if (!subscription)
        return {
          deletedWebhookSubscriptionId: null,
          userErrors: [{ field: ['id'], message: 'Webhook subscription does not exist' }],
        }
      state.subscriptions = state.subscriptions.filter((other) => other !== subscription)
      shop.changed()
      return { deletedWebhookSubscriptionId: id, userErrors: [] }
    },
  }
}

/** Allows https, and plain http on this machine (the real platform allows https only). */
function checkAddress(address: string): string | undefined {
  if (address === '') return "Address can't be blank"
  if (!URL.canParse(address)) return 'Address is invalid'
  if (new URL(address).protocol === 'https:' || isOnThisMachine(address)) return undefined
  return 'Address protocol http:// is not supported'
}
