import type { Static, TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { parseLossless } from '../../../lossless-json.ts'
import { webhookPayloads } from '../../kit/webhook-fields/payloads.ts'
import type { Settlement, WebhookDelivery } from './deliveries.ts'

export type ReadDelivery<T> = {
  id: number
  payload: T
  /** When the event happened on the platform, else when the delivery arrived; ISO instant. */
  happenedAt: string
}

type Readings<T> = { readable: ReadDelivery<T>[]; rejected: Settlement[] }

/**
 * Parses and validates payloads of one topic. An invalid one is rejected with the reason, and never retried. Throws for a
 * schema that is not in `webhookPayloads`, because its fields would not be stored.
 */
export function createPayloadReader<P extends TSchema>(
  schema: P,
): (deliveries: readonly WebhookDelivery[]) => Readings<Static<P>> {
  if (!Object.values(webhookPayloads).includes(schema)) throw new Error('No topic has this payload schema')
  const check = TypeCompiler.Compile(schema)

  function read({
    id,
    payload,
    triggeredAt,
    receivedAt,
  }: WebhookDelivery): ReadDelivery<Static<P>> | Settlement {
    const value = parse(payload)
    if (check.Check(value)) return { id, payload: value, happenedAt: triggeredAt ?? receivedAt }
    const { path, message } = check.Errors(value).First() ?? {}
    const reason = value === undefined ? 'The payload is not JSON.' : `Invalid payload: ${path} ${message}`
    return { id, state: 'rejected', reason }
  }

  return (deliveries) => {
    const readings = deliveries.map(read)
    return {
      readable: readings.filter((reading) => 'payload' in reading),
      rejected: readings.filter((reading) => 'state' in reading),
    }
  }
}

/** Invalid UTF-8 is refused, because a decoder would replace it with characters that were never sent. */
function parse(payload: Buffer): unknown {
  try {
    return parseLossless(new TextDecoder('utf-8', { fatal: true }).decode(payload))
  } catch {
    return undefined
  }
}
