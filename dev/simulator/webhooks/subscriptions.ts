import type { SubscribedTopic } from './topics.ts'

export type Subscription = {
  /** Digits. */
  id: string
  topic: SubscribedTopic
  address: string
  format: 'JSON'
  /** What is told of the payload; everything when it is empty. */
  includeFields: string[]
  createdAt: string
  updatedAt: string
}
