import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { testEnvironment } from '../core/database.ts'
import type { Person } from '../core/people.ts'
import { type SupervisedProcess, startSupervised } from '../core/processes.ts'
import { until } from '../core/until.ts'

/** Two web processes on one database. Each starts again when a test kills it. */
export type Webs = readonly [SupervisedProcess, SupervisedProcess]

export async function startWebs(t: Test, databaseUrl: string): Promise<Webs> {
  const env = testEnvironment(databaseUrl, {
    ...{ PORT: '0', LOG_LEVEL: 'info', RATE_LIMIT_PER_MINUTE: '1000000' },
  })
  const webs = [startSupervised(t, 'api/server.ts', env), startSupervised(t, 'api/server.ts', env)] as const
  await Promise.all(webs.map(originOf))
  return webs
}

/** The address of the process that runs now. */
export const originOf = (web: SupervisedProcess) =>
  until(() => /listening at (http:\/\/[\d.:]+)/.exec(web.current().output())?.[1], 'web listens')

/**
 * The same person, whose requests go to either process until one answers. Each has an idempotency key, so that a request whose
 * answer was lost with its process happens once; a deletion takes no key, and 404 then says that it has happened.
 */
export function through(webs: Webs, person: Person): Person {
  const send: Person['send'] = async (method, url, body, headers) => {
    const all = {
      authorization: `Bearer ${person.token}`,
      'idempotency-key': randomUUID(),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    }
    let isLost = false
    for (let tries = 0; tries < 400; tries += 1) {
      const web = webs[Math.random() < 0.5 ? 0 : 1]
      try {
        const response = await fetch(`${await originOf(web)}${url}`, {
          method,
          headers: all,
          ...(body !== undefined && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(10_000),
        })
        const text = await response.text()
        const isDone = method === 'DELETE' && isLost && response.status === 404
        if (response.status < 500) return answerOf(isDone ? 200 : response.status, text)
      } catch {
        // the process was killed
        isLost = true
      }
      await sleep(50)
    }
    throw new Error(`${method} ${url} was never answered`)
  }
  return {
    ...person,
    get: (url, headers) => send('GET', url, undefined, headers),
    post: (url, body) => send('POST', url, body),
    put: (url, body) => send('PUT', url, body),
    delete: (url) => send('DELETE', url),
    send,
  }
}

/** What tests read of an answer. */
const answerOf = (statusCode: number, body: string) =>
  ({ statusCode, body, json: () => JSON.parse(body) }) as LightMyRequestResponse
