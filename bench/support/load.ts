import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type Load = {
  url: string
  connections: number
  /** Duration. Without it every request is sent once, over the next free connection. */
  seconds?: number
  /**
   * Each connection sends these in order. Header values may contain `{unique}`, which is replaced in each request.
   */
  requests: LoadRequest[]
  /** Each connection sends only its own share of the requests, so that no two connections write the same record. */
  isShared?: boolean
}
export type LoadRequest = {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  headers?: Record<string, string>
  body?: string
}

/** `perSecond` counts 2xx responses, times are in milliseconds. */
export type LoadResult = { perSecond: number; p50: number; p99: number; max: number; answered: number }

const generator = fileURLToPath(new URL('./load-generator.ts', import.meta.url))

/** Sends requests from a separate process. Throws unless all responses are 2xx. */
export async function load(plan: Load): Promise<LoadResult> {
  const child = fork(generator)
  try {
    child.send(plan)
    const [message] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => [{ failure: `the process exited with code ${code}` }]),
    ])) as [LoadResult | { failure: string }]
    if ('failure' in message) throw new Error(`The load on ${plan.url} failed: ${message.failure}`)
    return message
  } finally {
    child.kill()
  }
}
