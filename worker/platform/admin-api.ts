import { readFileSync } from 'node:fs'
import type { Static, TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import PQueue from 'p-queue'
import type { Config } from '../../shared/config.ts'
import type { Db } from '../../shared/db/db.ts'
import { revokeCredential } from '../../shared/domain/records/shops/credentials.ts'
import { platformAddress } from '../../shared/platform/addresses.ts'
import { PlatformError, TokenRevokedError } from '../../shared/platform/errors.ts'
import { type HttpResponse, type Pause, postJson, pause as realPause } from '../../shared/platform/http.ts'
import { presets } from '../../shared/platform/presets.ts'
import { createScrub } from '../../shared/telemetry/scrub.ts'
import { createAccessTokens } from './access-token.ts'
import type { Document } from './document.ts'
import { documents } from './documents.ts'
import { createResponseReader, type Failure, type Outcome } from './graphql-response.ts'

export type AdminApi = {
  /**
   * Sends a query or a mutation and returns its data, checked against the schema of the document; the `userErrors` of
   * a mutation are part of the data. Retries up to 5 times while the platform throttles or is unavailable, so a
   * mutation must be idempotent. Throws TokenRevokedError or PlatformError; neither message holds a token.
   */
  query: <V extends TSchema, A extends TSchema>(
    document: Document<V, A>,
    variables: Static<V>,
    options: { signal: AbortSignal },
  ) => Promise<Static<A>>
}
/**
 * - `urgent`: a person or a sale waits for it: readings of single levels, and our own changes of stock
 * - `bulk`: all others, above all the sync, whose pages wait for the cost limit
 */
export type Lane = 'urgent' | 'bulk'
/** The lane is `bulk` unless another is given. */
export type AdminApis = (shopId: number, lane?: Lane) => AdminApi

const maxConcurrent = 2
const maxTries = 6
/** A longer pause is left to the queue: the request fails, and the queue retries the job. */
const maxPauseMs = 30_000
const firstBackoffMs = 500

/**
 * Creates clients for any shop. This process sends at most two concurrent requests of each lane for a shop. The lanes
 * do not wait for each other: while a page of a sync waits until the bucket holds its 900 points, a reading of one variant
 * needs 20. The access token is decrypted for each request and is used nowhere else.
 */
export function createAdminApi(
  config: Config,
  db: Db,
  { pause = realPause, timeoutMs = 10_000 }: { pause?: Pause; timeoutMs?: number } = {},
): AdminApis {
  const { accessTokenHeader } = presets[config.PLATFORM]
  const accessToken = createAccessTokens(config, db, pause)
  const readResponse = createResponseReader()
  const scrub = createScrub(config)
  const queues = new Map<string, PQueue>()
  const prepared = new Map(
    Object.values<Document>(documents).map((document) => [document.name, prepareDocument(document)]),
  )

  async function send(shopId: number, name: string, body: unknown, signal: AbortSignal): Promise<Outcome> {
    const { domain, token, sealed } = await accessToken(shopId, signal)
    const url = platformAddress(config, 'PLATFORM_GRAPHQL_URL', domain)
    let response: HttpResponse
    try {
      response = await postJson(url, { [accessTokenHeader]: token }, body, { timeoutMs, signal })
    } catch (error) {
      if (error instanceof PlatformError) return { error, retry: 'with backoff' }
      throw error
    }
    if (response.status === 401) {
      if (await revokeCredential(db, shopId, sealed)) throw new TokenRevokedError()
      return { error: new PlatformError('unavailable', tokenReplaced), retry: { afterMs: 0 } }
    }
    // a server may echo the token, which must not reach a log, an alert or a table
    return readResponse(name, { ...response, text: response.text.replaceAll(token, '[secret]') }, scrub)
  }

  /** Exists while the lane of the shop has requests. */
  function queueOf(shopId: number, lane: Lane): PQueue {
    const key = `${shopId}/${lane}`
    const known = queues.get(key)
    if (known) return known
    const queue = new PQueue({ concurrency: maxConcurrent })
    queue.addEventListener('idle', () => queues.delete(key))
    queues.set(key, queue)
    return queue
  }

  return (shopId, lane = 'bulk') => ({
    query: (document, variables, { signal }) =>
      queueOf(shopId, lane).add(async () => {
        // not the queue's own signal, which does not wait until a renewed access token is stored
        signal.throwIfAborted()
        const { text, check } = prepared.get(document.name) ?? prepareDocument(document)
        for (let tries = 1; ; tries += 1) {
          const outcome = await send(shopId, document.name, { query: text, variables }, signal)
          if ('data' in outcome) {
            if (check.Check(outcome.data)) return outcome.data as Static<typeof document.response>
            const { path, message } = check.Errors(outcome.data).First() ?? {}
            throw new PlatformError('rejected', `Unexpected response to ${document.name}: ${path} ${message}`)
          }
          const pauseMs = pauseBefore(tries, outcome)
          if (pauseMs > maxPauseMs) throw outcome.error
          await pause(pauseMs, signal)
        }
      }),
  })
}

const tokenReplaced = 'The access token of the shop was just replaced.'

/** Infinity for no retry. The jitter spreads the retries of processes that failed at the same time. */
function pauseBefore(tries: number, { retry }: Failure): number {
  if (retry === 'never' || tries >= maxTries) return Number.POSITIVE_INFINITY
  if (retry === 'with backoff') return firstBackoffMs * 2 ** (tries - 1) * (0.75 + Math.random() / 2)
  return retry.afterMs * (1 + Math.random() / 5)
}

function prepareDocument({ name, response }: Document) {
  const text = readText(name)
  const names = new Set([...text.matchAll(/\.\.\.(\w+)/g)].map(([, fragment]) => fragment))
  const fragments = [...names].map((fragment) => readText(`fragments/${fragment}`))
  return { text: [text, ...fragments].join('\n'), check: TypeCompiler.Compile(response) }
}

const readText = (name: string) => readFileSync(new URL(`documents/${name}.graphql`, import.meta.url), 'utf8')
