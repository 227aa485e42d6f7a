import { fieldsOf } from '../../shared/domain/kit/webhook-fields/projection.ts'
import { PlatformError } from '../../shared/platform/errors.ts'
import { requiredTopics, subscribedTopics, type WebhookTopic } from '../../shared/queue/jobs.ts'
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

export type RepairedSubscriptions = {
  /** The topics that had no subscription to the current address: their webhooks may have been missed. */
  added: WebhookTopic[]
  /** The platform's errors for topics that the specification requires. */
  requiredErrors: string[]
  /** Its errors for other topics, which the service can do without. */
  optionalErrors: string[]
}

/**
 * Makes the platform send the webhooks of every subscribed topic to `url`, with the fields that the jobs read and no
 * others: adds missing subscriptions, and updates those with another address or other fields.
 */
export async function repairSubscriptions(
  api: AdminApi,
  url: string,
  signal: AbortSignal,
): Promise<RepairedSubscriptions> {
  const subscriptions = await listSubscriptions(api, signal)
  const repaired: RepairedSubscriptions = { added: [], requiredErrors: [], optionalErrors: [] }
  for (const topic of subscribedTopics) {
    const ofTopic = subscriptions.filter((subscription) => subscription.topic === topic)
    const current = ofTopic.find(({ endpoint }) => endpoint.callbackUrl === url)
    if (current && hasFields(current, fieldsOf(topic))) continue
    const existing = current ?? ofTopic.find(({ endpoint }) => endpoint.callbackUrl !== undefined)
    const isRequired = requiredTopics.includes(topic)
    const messages = await subscribe(api, topic, url, existing, signal).then(
      ({ userErrors }) => userErrors.map(({ message }) => message),
      (error: unknown) => {
        if (isRequired || !isRefusal(error)) throw error
        return [error.message]
      },
    )
    if (messages.length === 0 && !current) repaired.added.push(topic)
    const errors = messages.filter((message) => !alreadySubscribed.test(message))
    const list = isRequired ? repaired.requiredErrors : repaired.optionalErrors
    list.push(...errors.map((message) => `${topic}: ${message}`))
  }
  return repaired
}

/** The platform does not know the topic, or the app lacks its scope; not an outage or a limit. */
const isRefusal = (error: unknown): error is PlatformError =>
  error instanceof PlatformError && (error.kind === 'rejected' || error.kind === 'access_denied')

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
