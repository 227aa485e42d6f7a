import { type Static, type TLiteral, type TSchema, type TUnion, Type } from '@sinclair/typebox'

const strict = { additionalProperties: false }

function Names<const N extends string>(names: readonly N[]): TUnion<TLiteral<N>[]> {
  return Type.Union(names.map((name) => Type.Literal(name)))
}

const times = Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })
const milliseconds = (maximum: number) => Type.Integer({ minimum: 0, maximum })

/**
 * What happens to one mail. `answer-*`, `drop` and `hang` do not take it; `accept-*` take it, and then the sender
 * does not hear so. `drop` closes the connection, `hang` leaves it open without a word.
 */
export const mailFaults = [
  'answer-429',
  'answer-500',
  'answer-503',
  'drop',
  'hang',
  'accept-500',
  'accept-drop',
  'accept-hang',
  'accept-garbage',
] as const

/**
 * What happens to one request of the API: as with mails, `accept-*` do what was asked for and lose the answer.
 * `throttle` answers THROTTLED; `concurrent` and `previous-failed` answer a change of stock with the error of an
 * idempotency key that is in use, or whose first use has failed.
 */
export const apiFaults = [
  'answer-401',
  'answer-402',
  'answer-403',
  'answer-423',
  'answer-429',
  'answer-500',
  'answer-503',
  'throttle',
  'drop',
  'hang',
  'accept-500',
  'accept-drop',
  'accept-hang',
  'concurrent',
  'previous-failed',
] as const

/** What happens to one request for an access token. */
export const tokenFaults = ['answer-429', 'answer-500', 'answer-503', 'drop', 'hang', 'accept-drop'] as const

/**
 * What happens to one delivery: `drop` loses it for ever, `delay` makes it late, `duplicate` sends it twice with one
 * webhook id, `wrong-signature` signs it with another secret and tries it once, and `reorder` holds as many as
 * `times` says and then sends the last one first.
 */
export const webhookFaults = ['drop', 'delay', 'duplicate', 'reorder', 'wrong-signature'] as const

export type MailFault = (typeof mailFaults)[number]
export type ApiFault = (typeof apiFaults)[number]
export type TokenFault = (typeof tokenFaults)[number]
export type WebhookFault = (typeof webhookFaults)[number]

/** A list that is used up in order, each entry for the next `times`. */
function Script<N extends string, P extends Record<string, TSchema>>(names: readonly N[], more: P) {
  const entry = Type.Object({ fault: Type.Unsafe<N>(Names(names)), times, ...more }, strict)
  return Type.Array(entry)
}

const shop = Type.Optional(Type.String())

export const Faults = Type.Object(
  {
    mails: Script(mailFaults, {}),
    /** Every mail waits so long before anything else happens to it. */
    mailDelayMs: milliseconds(600_000),
    /** So many searches answer 503. */
    failingSearches: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    /** A search does not find a mail that is younger than this. */
    searchLagMs: milliseconds(86_400_000),
    /** Of one shop only, and of requests whose document holds a word, where that is said. */
    graphql: Script(apiFaults, {
      shop,
      operation: Type.Optional(Type.String()),
      /** What a 429 asks for. */
      retryAfterSeconds: Type.Optional(Type.Number({ minimum: 0, maximum: 3600 })),
    }),
    /** Every request of the API waits so long before anything else happens to it. */
    graphqlDelayMs: milliseconds(600_000),
    /** Another size and speed of every shop's bucket of cost points. */
    throttle: Type.Union([
      Type.Null(),
      Type.Object({ maximum: Type.Number({ minimum: 1 }), restoreRate: Type.Number({ minimum: 0 }) }, strict),
    ]),
    tokens: Script(tokenFaults, { shop }),
    /** Of one shop or topic only, where that is said. */
    webhooks: Script(webhookFaults, {
      shop,
      topic: Type.Optional(Type.String()),
      /** How late `delay` is. */
      delayMs: Type.Optional(milliseconds(86_400_000)),
    }),
  },
  strict,
)
export type Faults = Static<typeof Faults>

export const FaultsPatch = Type.Partial(Faults, strict)

type OnceByDefault<T> = T extends { times: number }[] ? (Omit<T[number], 'times'> & { times?: number })[] : T

/** A `times` that is left out means once. */
export type FaultsInput = { [Part in keyof Faults]?: OnceByDefault<Faults[Part]> }

export const noFaults = (): Faults => ({
  mails: [],
  mailDelayMs: 0,
  failingSearches: 0,
  searchLagMs: 0,
  graphql: [],
  graphqlDelayMs: 0,
  throttle: null,
  tokens: [],
  webhooks: [],
})
