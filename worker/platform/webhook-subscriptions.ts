import { type WebhookTopic, webhookJobs } from '../../shared/queue/jobs.ts'
import type { AdminApi } from './admin-api.ts'
import { documents, type SubscriptionChange } from './documents.ts'

type Subscription = { id: string; topic: string; endpoint: { callbackUrl?: string } }

/** The platform's words for a subscription that is there already; another process was faster. */
const isTaken = /address for this topic has already been taken/i

/**
 * Makes the platform send the news of every topic we take to this address: adds what is missing, and sends to the
 * new address what went to an earlier one of ours. Answers what the platform objects to, nothing when all is well.
 */
export async function repairSubscriptions(
  api: AdminApi,
  url: string,
  signal: AbortSignal,
): Promise<string[]> {
  const subscriptions = await listSubscriptions(api, signal)
  const objections: string[] = []
  for (const topic of Object.keys(webhookJobs) as WebhookTopic[]) {
    const ofTopic = subscriptions.filter((subscription) => subscription.topic === topic)
    if (ofTopic.some(({ endpoint }) => endpoint.callbackUrl === url)) continue
    const elsewhere = ofTopic.find(({ endpoint }) => endpoint.callbackUrl !== undefined)
    const { userErrors } = await subscribe(api, topic, url, elsewhere, signal)
    const messages = userErrors.map(({ message }) => message).filter((message) => !isTaken.test(message))
    objections.push(...messages.map((message) => `${topic}: ${message}`))
  }
  return objections
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
    const answer = await api.query(documents.updateWebhookSubscription, variables, { signal })
    return answer.webhookSubscriptionUpdate
  }
  const variables = { topic, webhookSubscription }
  const answer = await api.query(documents.createWebhookSubscription, variables, { signal })
  return answer.webhookSubscriptionCreate
}

/** The platform lists those of this app only. */
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
