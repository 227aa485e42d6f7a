import { Value } from '@sinclair/typebox/value'
import type { FastifyInstance } from 'fastify'
import {
  type Faults,
  type FaultsInput,
  FaultsPatch,
  type MailFault,
  noFaults,
  type TokenFault,
} from './fault-types.ts'

import { between, fraction } from './shops/random.ts'

export type { Faults } from './fault-types.ts'

export type FaultScript = {
  /** The faults that are not used yet. */
  current: () => Faults
  /** Replaces the given parts and keeps the others. Throws when a part is invalid. */
  set: (input: FaultsInput) => void
  clear: () => void
  nextMail: () => MailFault | undefined
  nextSearchFails: () => boolean
  /** Uses the first entry that applies to this shop and document. */
  nextRequest: (shop: string, document: string) => Faults['graphql'][number] | undefined
  nextTokenRequest: (shop: string) => TokenFault | undefined
  /** Uses the first entry that applies to this shop and topic. Returns it with the previous value of `times`. */
  nextDelivery: (shop: string, topic: string) => Faults['webhooks'][number] | undefined
  /** Draws what happens to the next webhook; `undefined` when webhooks are reliable. */
  nextMishap: (shop: string, topic: string) => Mishap | undefined
}

/** What happens to an unreliable webhook. */
export type Mishap = {
  isLost: boolean
  delayMs: number
  /** When it is sent once more; null when it is not. */
  repeatDelayMs: number | null
}

export function createFaultScript(): FaultScript {
  let faults = noFaults()
  return {
    current: () => structuredClone(faults),
    set(input) {
      const patch = Value.Default(FaultsPatch, structuredClone(input))
      const firstError = Value.Errors(FaultsPatch, patch).First()
      if (firstError) throw new Error(`${firstError.path}: ${firstError.message}`)
      faults = { ...faults, ...(patch as Partial<Faults>) }
    },
    clear() {
      faults = noFaults()
    },
    nextMail: () => take(faults.mails, () => true)?.fault,
    nextSearchFails() {
      if (faults.failingSearches === 0) return false
      faults.failingSearches -= 1
      return true
    },
    nextRequest: (shop, document) =>
      take(
        faults.graphql,
        (entry) => appliesTo(entry.shop, shop) && document.includes(entry.operation ?? ''),
      ),
    nextTokenRequest: (shop) => take(faults.tokens, (entry) => appliesTo(entry.shop, shop))?.fault,
    nextDelivery: (shop, topic) =>
      take(faults.webhooks, (entry) => appliesTo(entry.shop, shop) && appliesTo(entry.topic, topic)),
    nextMishap(shop, topic) {
      const script = faults.unreliableWebhooks
      if (!script || !appliesTo(script.shop, shop) || !appliesTo(script.topic, topic)) return undefined
      const { seed, deliveries: left, lost, late, repeated, maxDelayMs } = script
      faults.unreliableWebhooks = left > 1 ? { ...script, deliveries: left - 1 } : null
      const delay = (use: number) => between(0, maxDelayMs, seed, left, use)
      return {
        isLost: fraction(seed, left, 1) < lost,
        delayMs: fraction(seed, left, 2) < late ? delay(3) : 0,
        repeatDelayMs: fraction(seed, left, 4) < repeated ? delay(5) : null,
      }
    },
  }
}

const appliesTo = (limit: string | undefined, value: string) => limit === undefined || limit === value

function take<T extends { times: number }>(script: T[], applies: (entry: T) => boolean): T | undefined {
  const index = script.findIndex(applies)
  const next = script[index]
  if (!next) return undefined
  const used = { ...next }
  next.times -= 1
  if (next.times === 0) script.splice(index, 1)
  return used
}

/** The fault script over HTTP: POST replaces the parts in its body, DELETE removes all faults. */
export function addFaultRoutes(app: FastifyInstance, faults: FaultScript) {
  app.get('/faults', async () => faults.current())

  app.post('/faults', async (request, reply) => {
    try {
      faults.set(request.body as FaultsInput)
    } catch (error) {
      return reply.code(400).send({ message: error instanceof Error ? error.message : String(error) })
    }
    return faults.current()
  })

  app.delete('/faults', async () => {
    faults.clear()
    return faults.current()
  })
}
