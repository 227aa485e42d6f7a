import type { Static, TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { parseLossless } from '../../lossless-json.ts'
import type { Settlement, WebhookDelivery } from './deliveries.ts'

/** A delivery whose payload makes sense. */
export type ReadDelivery<T> = {
  id: number
  payload: T
  /** When the platform says it happened, else when it came; ISO instant. */
  happenedAt: string
}

export type Readings<T> = { readable: ReadDelivery<T>[]; rejected: Settlement[] }

/** Reads payloads of one topic; one that is no JSON or does not fit is rejected with the reason, and never retried. */
export function createPayloadReader<P extends TSchema>(
  schema: P,
): (deliveries: readonly WebhookDelivery[]) => Readings<Static<P>> {
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
    const reason =
      value === undefined ? 'The payload is not JSON.' : `The payload does not fit: ${path} ${message}`
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

/** Bytes that are no UTF-8 are no JSON: they must not become something that was never sent. */
function parse(payload: Buffer): unknown {
  try {
    return parseLossless(new TextDecoder('utf-8', { fatal: true }).decode(payload))
  } catch {
    return undefined
  }
}
