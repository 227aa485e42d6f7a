import type { SubscribedTopic } from './topics.ts'

export type Subscription = {
  /** Digits. */
  id: string
  topic: SubscribedTopic
  address: string
  format: 'JSON'
  /** The included fields of the payload; all when empty. */
  includeFields: string[]
  createdAt: string
  updatedAt: string
}
