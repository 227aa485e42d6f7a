import { type WebhookTopic, webhookJobs } from '../../shared/queue/jobs.ts'
import type { AdminApi } from './admin-api.ts'
import { documents, type SubscriptionChange } from './documents.ts'

type Subscription = { id: string; topic: string; endpoint: { callbackUrl?: string } }

/** The platform's error for a subscription that exists, since another process has just added it. */
const alreadySubscribed = /address for this topic has already been taken/i

/**
 * Makes the platform send the webhooks of every topic in `webhookJobs` to `url`: adds missing subscriptions, and
 * updates those with another address. Returns the platform's objections, none when all subscriptions are in place, and
 * the topics that it added: their webhooks may have been missed.
 */
export async function repairSubscriptions(
  api: AdminApi,
  url: string,
  signal: AbortSignal,
): Promise<{ objections: string[]; added: WebhookTopic[] }> {
  const subscriptions = await listSubscriptions(api, signal)
  const objections: string[] = []
  const added: WebhookTopic[] = []
  for (const topic of Object.keys(webhookJobs) as WebhookTopic[]) {
    const ofTopic = subscriptions.filter((subscription) => subscription.topic === topic)
    if (ofTopic.some(({ endpoint }) => endpoint.callbackUrl === url)) continue
    const elsewhere = ofTopic.find(({ endpoint }) => endpoint.callbackUrl !== undefined)
    const { userErrors } = await subscribe(api, topic, url, elsewhere, signal)
    const messages = userErrors
      .map(({ message }) => message)
      .filter((message) => !alreadySubscribed.test(message))
    objections.push(...messages.map((message) => `${topic}: ${message}`))
    if (userErrors.length === 0) added.push(topic)
  }
  return { objections, added }
}

async function subscribe(
  api: AdminApi,
  topic: WebhookTopic,
  callbackUrl: string,
  elsewhere: Subscription | undefined,
  signal: AbortSignal,
): Promise<SubscriptionChange> {
  const webhookSubscription = { callbackUrl }
  if (elsewhere) {
    const variables = { id: elsewhere.id, webhookSubscription }
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
