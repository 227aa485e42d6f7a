import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type Load = {
  url: string
  connections: number
  /** For how long. Without it every request is sent once, by whichever connection is free. */
  seconds?: number
  /** Sent one after the other by every connection. Header values may hold `{unique}`, which is new for each request. */
  requests: LoadRequest[]
  /** Every connection sends its own share of the requests only, so that no two write to the same record. */
  isShared?: boolean
}
export type LoadRequest = {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  headers?: Record<string, string>
  body?: string
}

/** What came back: requests per second, milliseconds, bytes of a body. */
export type LoadResult = { perSecond: number; p50: number; p99: number; max: number; answered: number }

const generator = fileURLToPath(new URL('./load-generator.ts', import.meta.url))

/** Sends requests from a process of its own. Throws when one of them is not answered with 2xx. */
export async function load(plan: Load): Promise<LoadResult> {
  const child = fork(generator)
  try {
    child.send(plan)
    const [answer] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => [{ fault: `it ended with ${code}` }]),
    ])) as [LoadResult | { fault: string }]
    if ('fault' in answer) throw new Error(`The load on ${plan.url} failed: ${answer.fault}`)
    return answer
  } finally {
    child.kill()
  }
}
