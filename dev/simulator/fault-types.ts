import { type Static, type TLiteral, type TSchema, type TUnion, Type } from '@sinclair/typebox'

const strict = { additionalProperties: false }

function Names<const N extends string>(names: readonly N[]): TUnion<TLiteral<N>[]> {
  return Type.Union(names.map((name) => Type.Literal(name)))
}

const times = Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })
const milliseconds = (maximum: number) => Type.Integer({ minimum: 0, maximum })

/**
 * Faults of one mail:
 * - `answer-*` refuse it with this status;
 * - `drop` closes the connection, `hang` never responds; neither accepts the mail;
 * - `accept-*` accept the mail, but the sender does not get the confirmation.
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
 * Faults of one API request. As with mails, `accept-*` process the request and lose the response. `throttle`
 * responds THROTTLED; `concurrent` and `previous-failed` respond to a stock change with the error of an idempotency
 * key that is in use, or whose first use has failed.
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

/** Faults of one request for an access token. */
export const tokenFaults = ['answer-429', 'answer-500', 'answer-503', 'drop', 'hang', 'accept-drop'] as const

/**
 * Faults of one webhook delivery:
 * - `drop` loses it;
 * - `delay` sends it late;
 * - `duplicate` sends it twice with one webhook id;
 * - `wrong-signature` signs it with another secret and sends it once;
 * - `reorder` collects `times` deliveries and sends the last one first.
 */
export const webhookFaults = ['drop', 'delay', 'duplicate', 'reorder', 'wrong-signature'] as const

export type MailFault = (typeof mailFaults)[number]
export type ApiFault = (typeof apiFaults)[number]
export type TokenFault = (typeof tokenFaults)[number]
export type WebhookFault = (typeof webhookFaults)[number]

/** A list of faults that are used in order; each entry applies `times` times. */
function Script<N extends string, P extends Record<string, TSchema>>(names: readonly N[], more: P) {
  const entry = Type.Object({ fault: Type.Unsafe<N>(Names(names)), times, ...more }, strict)
  return Type.Array(entry)
}

const shop = Type.Optional(Type.String())
const share = Type.Number({ minimum: 0, maximum: 1 })

/**
 * Webhooks as a bad day of the real platform sends them. Each of the next `deliveries` webhooks is lost, repeated or
 * late with these probabilities; late ones arrive after later ones. The same seed and webhooks give the same faults.
 */
const Unreliability = Type.Object(
  {
    seed: Type.Integer({ minimum: 0, maximum: 2 ** 31 }),
    deliveries: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    lost: share,
    repeated: share,
    late: share,
    /** The longest delay of a late or repeated webhook. */
    maxDelayMs: milliseconds(86_400_000),
    shop,
    topic: Type.Optional(Type.String()),
  },
  strict,
)

export const Faults = Type.Object(
  {
    mails: Script(mailFaults, {}),
    /** Delay of every mail before it is processed. */
    mailDelayMs: milliseconds(600_000),
    /** The next searches up to this number respond 503. */
    failingSearches: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    /** Searches do not find mails younger than this. */
    searchLagMs: milliseconds(86_400_000),
    /** `shop` limits a fault to one shop, `operation` to requests whose document contains this word. */
    graphql: Script(apiFaults, {
      shop,
      operation: Type.Optional(Type.String()),
      /** The `retry-after` header of a 429. */
      retryAfterSeconds: Type.Optional(Type.Number({ minimum: 0, maximum: 3600 })),
    }),
    /** Delay of every API request before it is processed. */
    graphqlDelayMs: milliseconds(600_000),
    /** Replaces the size and restore rate of every shop's cost bucket. */
    throttle: Type.Union([
      Type.Null(),
      Type.Object({ maximum: Type.Number({ minimum: 1 }), restoreRate: Type.Number({ minimum: 0 }) }, strict),
    ]),
    tokens: Script(tokenFaults, { shop }),
    /** `shop` and `topic` limit a fault to one shop or topic. */
    webhooks: Script(webhookFaults, {
      shop,
      topic: Type.Optional(Type.String()),
      /** The delay of `delay`. */
      delayMs: Type.Optional(milliseconds(86_400_000)),
    }),
    /** Applies to webhooks that no entry of `webhooks` applies to. */
    unreliableWebhooks: Type.Union([Type.Null(), Unreliability]),
    /** The shop admin draws no navigation for the app. */
    withoutAppNavigation: Type.Boolean(),
  },
  strict,
)
export type Faults = Static<typeof Faults>

export const FaultsPatch = Type.Partial(Faults, strict)

type OnceByDefault<T> = T extends { times: number }[] ? (Omit<T[number], 'times'> & { times?: number })[] : T

/** `times` is 1 by default. */
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
  unreliableWebhooks: null,
  withoutAppNavigation: false,
})
