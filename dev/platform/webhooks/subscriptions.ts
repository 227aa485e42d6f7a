import type { SubscribedTopic } from './topics.ts'

export type Subscription = {
  /** Digits. */
  id: string
  topic: SubscribedTopic
  address: string
  format: 'JSON' | 'XML'
  createdAt: string
  updatedAt: string
}
