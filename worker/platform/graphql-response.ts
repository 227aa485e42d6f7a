import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { PlatformError } from '../../shared/platform/errors.ts'
import type { HttpResponse } from '../../shared/platform/http.ts'

/** The result of one request: data, or an error and when a retry of the same request may succeed. */
export type Outcome = { data: unknown } | Failure
export type Failure = { error: PlatformError; retry: 'never' | 'with backoff' | { afterMs: number } }

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

export type ReadResponse = (name: string, response: HttpResponse, scrub: (text: string) => string) => Outcome

const minPauseMs = 1_000
const maxMessage = 500

const statuses: Record<number, Failure> = {
  402: never('frozen', 'The platform has frozen this shop.'),
  403: never('forbidden', 'The platform forbids requests for this shop.'),
  423: never('locked', 'The platform has locked this shop.'),
}

/** Reads responses of the GraphQL endpoint. The status is checked first: for a locked shop the body is not GraphQL. */
export function createResponseReader(): ReadResponse {
  const envelope = TypeCompiler.Compile(Envelope)

  return (name, { status, headers, text }, scrub) => {
    const refusal = statuses[status]
    if (refusal) return refusal
    if (status === 429 || status === 430) return throttled(retryAfterMs(headers))
    if (status === 408 || status >= 500) return unavailable(`The platform answered ${name} with ${status}.`)
    if (status !== 200) return never('rejected', `The platform answered ${name} with ${status}.`)
    const body = parse(text)
    if (body === undefined) return unavailable(`The platform answered ${name} with a body that is not JSON.`)
    if (!envelope.Check(body)) return never('rejected', `The platform answered ${name} in an unknown format.`)
    return body.errors?.length ? failed(name, body, scrub) : { data: body.data }
  }
}

/** GraphQL errors, throttling included, have status 200. */
function failed(
  name: string,
  { data, errors = [], extensions }: Envelope,
  scrub: (text: string) => string,
): Failure {
  const codes = new Set(errors.map((error) => error.extensions?.code))
  const text = scrub(errors.map(({ message }) => message).join('; ')).slice(0, maxMessage)
  if (codes.has('THROTTLED')) return throttled(pauseFor(extensions?.cost))
  if (codes.has('INTERNAL_SERVER_ERROR'))
    return unavailable(`The platform had an internal error at ${name}: ${text}`)
  if (codes.has('ACCESS_DENIED')) return never('access_denied', `The app has no access to ${name}: ${text}`)
  if (codes.has('SHOP_INACTIVE')) return never('frozen', 'The platform has frozen this shop.')
  // GraphQL: an error before the execution, such as a bad variable, has a response without `data`
  return never('rejected', `The platform refused ${name}: ${text}`, { isUnapplied: data === undefined })
}

/** The time until the rate limit's bucket holds the points that the request costs. */
function pauseFor(cost: NonNullable<Envelope['extensions']>['cost']): number {
  if (!cost || cost.throttleStatus.restoreRate <= 0) return minPauseMs
  const missing = cost.requestedQueryCost - cost.throttleStatus.currentlyAvailable
  return Math.max(minPauseMs, (missing / cost.throttleStatus.restoreRate) * 1000)
}

function retryAfterMs(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? Math.max(minPauseMs, seconds * 1000) : 2 * minPauseMs
}

function throttled(afterMs: number): Failure {
  return {
    error: new PlatformError('throttled', 'The platform throttles the requests of this shop.'),
    retry: { afterMs },
  }
}

function unavailable(message: string): Failure {
  return { error: new PlatformError('unavailable', message), retry: 'with backoff' }
}

function never(kind: PlatformError['kind'], message: string, options = { isUnapplied: false }): Failure {
  return { error: new PlatformError(kind, message, options), retry: 'never' }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
