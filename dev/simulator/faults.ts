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

export type { Faults } from './fault-types.ts'

export type FaultScript = {
  /** What is still to come. */
  current: () => Faults
  /** Replaces the given parts and leaves the others. Throws when a part is not right. */
  set: (input: FaultsInput) => void
  clear: () => void
  nextMail: () => MailFault | undefined
  nextSearchFails: () => boolean
  /** Uses up the first entry that is meant for this shop and document. */
  nextRequest: (shop: string, document: string) => Faults['graphql'][number] | undefined
  nextTokenRequest: (shop: string) => TokenFault | undefined
  /** Uses up the first entry that is meant for this shop and topic; `times` is what it was before. */
  nextDelivery: (shop: string, topic: string) => Faults['webhooks'][number] | undefined
}

export function createFaultScript(): FaultScript {
  let faults = noFaults()
  return {
    current: () => structuredClone(faults),
    set(input) {
      const patch = Value.Default(FaultsPatch, structuredClone(input))
      const wrong = Value.Errors(FaultsPatch, patch).First()
      if (wrong) throw new Error(`${wrong.path}: ${wrong.message}`)
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
      take(faults.graphql, (entry) => isFor(entry.shop, shop) && document.includes(entry.operation ?? '')),
    nextTokenRequest: (shop) => take(faults.tokens, (entry) => isFor(entry.shop, shop))?.fault,
    nextDelivery: (shop, topic) =>
      take(faults.webhooks, (entry) => isFor(entry.shop, shop) && isFor(entry.topic, topic)),
  }
}

const isFor = (wanted: string | undefined, value: string) => wanted === undefined || wanted === value

function take<T extends { times: number }>(script: T[], isMeant: (entry: T) => boolean): T | undefined {
  const index = script.findIndex(isMeant)
  const next = script[index]
  if (!next) return undefined
  const taken = { ...next }
  next.times -= 1
  if (next.times === 0) script.splice(index, 1)
  return taken
}

/** The same script over HTTP: POST changes the parts that it names, DELETE ends all faults. */
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
