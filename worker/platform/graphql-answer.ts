import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { PlatformError } from '../../shared/platform/errors.ts'
import type { Answer } from '../../shared/platform/http.ts'

/** What a request came to: data, or an error and whether the same request may fare better after a pause. */
export type Outcome = { data: unknown } | Failure
export type Failure = { error: PlatformError; again: 'never' | 'after growing pauses' | { afterMs: number } }

export const Envelope = Type.Object({
  data: Type.Optional(Type.Unknown()),
  errors: Type.Optional(
    Type.Array(
      Type.Object({
        message: Type.String(),
        extensions: Type.Optional(Type.Object({ code: Type.Optional(Type.String()) })),
      }),
    ),
  ),
  extensions: Type.Optional(
    Type.Object({
      cost: Type.Optional(
        Type.Object({
          requestedQueryCost: Type.Number(),
          throttleStatus: Type.Object({ currentlyAvailable: Type.Number(), restoreRate: Type.Number() }),
        }),
      ),
    }),
  ),
})
export type Envelope = Static<typeof Envelope>

/** `clean` takes secrets out of what the platform says about an error: its words end up in logs. */
export type ReadAnswer = (name: string, answer: Answer, clean: (words: string) => string) => Outcome

const minPauseMs = 1_000
const maxWords = 500

const statuses: Record<number, Failure> = {
  402: never('frozen', 'The platform has frozen this shop.'),
  403: never('forbidden', 'The platform forbids requests for this shop.'),
  423: never('locked', 'The platform has locked this shop.'),
}

/** Reads answers of a GraphQL endpoint. Statuses come first: a shop that is locked answers no GraphQL. */
export function createAnswerReader(): ReadAnswer {
  const envelope = TypeCompiler.Compile(Envelope)

  return (name, { status, headers, text }, clean) => {
    const refusal = statuses[status]
    if (refusal) return refusal
    if (status === 429 || status === 430) return throttled(retryAfterMs(headers))
    if (status === 408 || status >= 500) return unavailable(`The platform answered ${name} with ${status}.`)
    if (status !== 200) return never('rejected', `The platform answered ${name} with ${status}.`)
    const body = parse(text)
    if (body === undefined) return unavailable(`The platform answered ${name} with something else than JSON.`)
    if (!envelope.Check(body)) return never('rejected', `The platform answered ${name} in an unknown shape.`)
    return body.errors?.length ? failed(name, body, clean) : { data: body.data }
  }
}

/** GraphQL fails with status 200. What is asked too fast fails so, too. */
function failed(
  name: string,
  { errors = [], extensions }: Envelope,
  clean: (words: string) => string,
): Failure {
  const codes = new Set(errors.map((error) => error.extensions?.code))
  const words = clean(errors.map(({ message }) => message).join('; ')).slice(0, maxWords)
  if (codes.has('THROTTLED')) return throttled(pauseFor(extensions?.cost))
  if (codes.has('INTERNAL_SERVER_ERROR')) return unavailable(`The platform failed at ${name}: ${words}`)
  if (codes.has('ACCESS_DENIED')) return never('access_denied', `The app may not ask for ${name}: ${words}`)
  if (codes.has('SHOP_INACTIVE')) return never('frozen', 'The platform has frozen this shop.')
  return never('rejected', `The platform refused ${name}: ${words}`)
}

/** Until the bucket holds what the request costs. */
function pauseFor(cost: NonNullable<Envelope['extensions']>['cost']): number {
  if (!cost || cost.throttleStatus.restoreRate <= 0) return minPauseMs
  const missing = cost.requestedQueryCost - cost.throttleStatus.currentlyAvailable
  return Math.max(minPauseMs, (missing / cost.throttleStatus.restoreRate) * 1000)
}

/** The header counts in seconds. */
function retryAfterMs(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? Math.max(minPauseMs, seconds * 1000) : 2 * minPauseMs
}

function throttled(afterMs: number): Failure {
  return { error: new PlatformError('throttled', 'The platform asks for a pause.'), again: { afterMs } }
}

function unavailable(message: string): Failure {
  return { error: new PlatformError('unavailable', message), again: 'after growing pauses' }
}

function never(kind: PlatformError['kind'], message: string): Failure {
  return { error: new PlatformError(kind, message), again: 'never' }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
