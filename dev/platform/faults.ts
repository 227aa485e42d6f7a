import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { FastifyInstance } from 'fastify'

const strict = { additionalProperties: false }

/**
 * What happens to one mail. `answer-*`, `drop` and `hang` do not take it; `accept-*` take it, and then the sender
 * does not hear so. `drop` closes the connection, `hang` leaves it open without a word.
 */
export const MailFault = Type.Union(
  [
    'answer-429',
    'answer-500',
    'answer-503',
    'drop',
    'hang',
    'accept-500',
    'accept-drop',
    'accept-hang',
    'accept-garbage',
  ].map((name) => Type.Literal(name)),
)
type MailFault =
  | `answer-${429 | 500 | 503}`
  | 'drop'
  | 'hang'
  | `accept-${'500' | 'drop' | 'hang' | 'garbage'}`

export const Faults = Type.Object(
  {
    /** Used up in order, each for the next `times` mails. */
    mails: Type.Array(
      Type.Object(
        {
          fault: Type.Unsafe<MailFault>(MailFault),
          times: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
        },
        strict,
      ),
    ),
    /** Every mail waits so long before anything else happens to it. */
    mailDelayMs: Type.Integer({ minimum: 0, maximum: 600_000 }),
    /** So many searches answer 503. */
    failingSearches: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    /** A search does not find a mail that is younger than this. */
    searchLagMs: Type.Integer({ minimum: 0, maximum: 86_400_000 }),
  },
  strict,
)
export type Faults = Static<typeof Faults>

const FaultsPatch = Type.Partial(Faults, strict)
const noFaults = (): Faults => ({ mails: [], mailDelayMs: 0, failingSearches: 0, searchLagMs: 0 })

/** A `times` that is left out means once. */
export type FaultsInput = Partial<Omit<Faults, 'mails'> & { mails: { fault: MailFault; times?: number }[] }>

export type FaultScript = {
  /** What is still to come. */
  current: () => Faults
  /** Replaces the given parts and leaves the others. Throws when a part is not right. */
  set: (input: FaultsInput) => void
  clear: () => void
  nextMail: () => MailFault | undefined
  nextSearchFails: () => boolean
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
    nextMail() {
      const [next] = faults.mails
      if (!next) return undefined
      next.times -= 1
      if (next.times === 0) faults.mails.shift()
      return next.fault
    },
    nextSearchFails() {
      if (faults.failingSearches === 0) return false
      faults.failingSearches -= 1
      return true
    },
  }
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
