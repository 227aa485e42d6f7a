import { fieldsOf } from '../../shared/domain/webhooks/projection.ts'
import { subscribedTopics, type WebhookTopic } from '../../shared/queue/jobs.ts'
import type { AdminApi } from './admin-api.ts'
import { documents, type SubscriptionChange } from './documents.ts'

type Subscription = {
  id: string
  topic: string
  includeFields: readonly string[]
  endpoint: { callbackUrl?: string }
}

/** The platform's error for a subscription that exists, since another process has just added it. */
const alreadySubscribed = /address for this topic has already been taken/i

/**
 * Makes the platform send the webhooks of every subscribed topic to `url`, with the fields that the jobs read and no
 * others: adds missing subscriptions, and updates those with another address or other fields. Returns the platform's
 * objections, none when all subscriptions are in place, and the topics whose webhooks did not arrive before.
 */
export async function repairSubscriptions(
  api: AdminApi,
  url: string,
  signal: AbortSignal,
): Promise<{ objections: string[]; added: WebhookTopic[] }> {
  const subscriptions = await listSubscriptions(api, signal)
  const objections: string[] = []
  const added: WebhookTopic[] = []
  for (const topic of subscribedTopics) {
    const ofTopic = subscriptions.filter((subscription) => subscription.topic === topic)
    const current = ofTopic.find(({ endpoint }) => endpoint.callbackUrl === url)
    if (current && hasFields(current, fieldsOf(topic))) continue
    const existing = current ?? ofTopic.find(({ endpoint }) => endpoint.callbackUrl !== undefined)
    const { userErrors } = await subscribe(api, topic, url, existing, signal)
    const messages = userErrors
      .map(({ message }) => message)
      .filter((message) => !alreadySubscribed.test(message))
    objections.push(...messages.map((message) => `${topic}: ${message}`))
    if (userErrors.length === 0 && !current) added.push(topic)
  }
  return { objections, added }
}

/** In any order. Empty fields mean that the platform sends all. */
function hasFields({ includeFields }: Subscription, fields: readonly string[]): boolean {
  return includeFields.length === fields.length && fields.every((field) => includeFields.includes(field))
}

async function subscribe(
  api: AdminApi,
  topic: WebhookTopic,
  callbackUrl: string,
  existing: Subscription | undefined,
  signal: AbortSignal,
): Promise<SubscriptionChange> {
  const webhookSubscription = { callbackUrl, includeFields: fieldsOf(topic) }
  if (existing) {
    const variables = { id: existing.id, webhookSubscription }
    const response = await api.query(documents.updateWebhookSubscription, variables, { signal })
    return response.webhookSubscriptionUpdate
  }
  const variables = { topic, webhookSubscription }
  const response = await api.query(documents.createWebhookSubscription, variables, { signal })
  return response.webhookSubscriptionCreate
}

/** The platform lists only the subscriptions of this app. */
async function listSubscriptions(api: AdminApi, signal: AbortSignal): Promise<Subscription[]> {
  const subscriptions: Subscription[] = []
  for (let after: string | null = null, hasNextPage = true; hasNextPage; ) {
    const variables: { first: number; after: string | null } = { first: 100, after }
    const { webhookSubscriptions } = await api.query(documents.webhookSubscriptions, variables, { signal })
    subscriptions.push(...webhookSubscriptions.nodes)
    hasNextPage = webhookSubscriptions.pageInfo.hasNextPage
    after = webhookSubscriptions.pageInfo.endCursor
  }
  return subscriptions
}
