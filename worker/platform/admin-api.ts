import { readFileSync } from 'node:fs'
import type { Static, TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { Config } from '../../shared/config.ts'
import type { Db } from '../../shared/db/db.ts'
import { revokeCredential } from '../../shared/domain/shops/credentials.ts'
import { platformAddress } from '../../shared/platform/addresses.ts'
import { PlatformError, TokenRevokedError } from '../../shared/platform/errors.ts'
import { type Answer, type Pause, postJson, pause as realPause } from '../../shared/platform/http.ts'
import { presets } from '../../shared/platform/presets.ts'
import { createScrub } from '../../shared/telemetry/scrub.ts'
import { createAccessTokens } from './access-token.ts'
import type { Document } from './document.ts'
import { documents } from './documents.ts'
import { createAnswerReader, type Failure, type Outcome } from './graphql-answer.ts'
import { createSlots } from './slots.ts'

/** The platform's admin API on behalf of one shop. */
export type AdminApi = {
  /**
   * Answers what the document asks for, checked against its schema; the `userErrors` of a mutation are part of that.
   * While the platform wants a pause or has trouble it is asked again, a few times: so a mutation must be one that
   * may be sent twice. Throws TokenRevokedError, or a PlatformError; neither holds a token.
   */
  query: <V extends TSchema, A extends TSchema>(
    document: Document<V, A>,
    variables: Static<V>,
    options: { signal: AbortSignal },
  ) => Promise<Static<A>>
}
export type AdminApis = (shopId: number) => AdminApi

const maxAtOnce = 2
const maxTries = 6
/** A longer pause is the queue's: the job fails, and is tried again later. */
const maxPauseMs = 30_000
const growingPauseMs = 500

/**
 * Clients for any shop. At most two requests of a shop are under way at once in this process. The access token is
 * opened for each request, and leaves this file with it only.
 */
export function createAdminApi(
  config: Config,
  db: Db,
  { pause = realPause, timeoutMs = 10_000 }: { pause?: Pause; timeoutMs?: number } = {},
): AdminApis {
  const { accessTokenHeader } = presets[config.PLATFORM]
  const accessToken = createAccessTokens(config, db, pause)
  const readAnswer = createAnswerReader()
  const scrub = createScrub(config)
  const inSlot = createSlots(maxAtOnce)
  const known = new Map(
    Object.values<Document>(documents).map((document) => [document.name, readDocument(document)]),
  )

  async function ask(shopId: number, name: string, body: unknown, signal: AbortSignal): Promise<Outcome> {
    const { domain, token, sealed } = await accessToken(shopId, signal)
    const url = platformAddress(config, 'PLATFORM_GRAPHQL_URL', domain)
    let answer: Answer
    try {
      answer = await postJson(url, { [accessTokenHeader]: token }, body, { timeoutMs, signal })
    } catch (error) {
      if (error instanceof PlatformError) return { error, again: 'after growing pauses' }
      throw error
    }
    if (answer.status === 401) {
      if (await revokeCredential(db, shopId, sealed)) throw new TokenRevokedError()
      return { error: new PlatformError('unavailable', tokenReplaced), again: { afterMs: 0 } }
    }
    // whoever repeats the token in an answer must not bring it into a log, an alert or a table
    return readAnswer(name, { ...answer, text: answer.text.replaceAll(token, '[secret]') }, scrub)
  }

  return (shopId) => ({
    query: (document, variables, { signal }) =>
      inSlot(shopId, signal, async () => {
        const { text, check } = known.get(document.name) ?? readDocument(document)
        for (let tries = 1; ; tries += 1) {
          const outcome = await ask(shopId, document.name, { query: text, variables }, signal)
          if ('data' in outcome) {
            if (check.Check(outcome.data)) return outcome.data as Static<typeof document.answer>
            const { path, message } = check.Errors(outcome.data).First() ?? {}
            throw new PlatformError(
              'rejected',
              `The answer to ${document.name} is new to us: ${path} ${message}`,
            )
          }
          const pauseMs = pauseBefore(tries, outcome)
          if (pauseMs > maxPauseMs) throw outcome.error
          await pause(pauseMs, signal)
        }
      }),
  })
}

const tokenReplaced = 'The access token of the shop was replaced just now.'

/** More than any pause when it is of no use to ask again. Processes that were turned away at once come back apart. */
function pauseBefore(tries: number, { again }: Failure): number {
  if (again === 'never' || tries >= maxTries) return Number.POSITIVE_INFINITY
  if (again === 'after growing pauses') return growingPauseMs * 2 ** (tries - 1) * (0.75 + Math.random() / 2)
  return again.afterMs * (1 + Math.random() / 5)
}

function readDocument({ name, answer }: Document) {
  const text = readFileSync(new URL(`documents/${name}.graphql`, import.meta.url), 'utf8')
  return { text, check: TypeCompiler.Compile(answer) }
}
