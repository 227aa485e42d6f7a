import { randomUUID } from 'node:crypto'
import autocannon, { type Result } from 'autocannon'
import type { Load, LoadRequest, LoadResult } from './load.ts'

/** Runs one load that the parent process describes, and tells it what came back. */
process.once('message', async (plan: Load) => {
  process.send?.(await run(plan).catch((error: unknown) => ({ fault: String(error) })))
})

async function run({ url, connections, seconds, requests, isShared = false }: Load): Promise<LoadResult> {
  const all = requests.map(toRequest)
  let clients = 0
  const result = await autocannon({
    url,
    connections,
    ...(seconds === undefined ? { amount: all.length } : { duration: seconds }),
    // it also ends at one of these times only
    sampleInt: 100,
    timeout: 10,
    requests: seconds === undefined ? [drawFrom(all)] : all,
    ...(isShared && {
      setupClient(client) {
        const share = clients++
        client.setRequests(all.filter((_, at) => at % connections === share))
      },
    }),
  })
  const faults = faultsOf(result)
  if (faults !== '') throw new Error(faults)
  const { latency } = result
  return {
    perSecond: result['2xx'] / result.duration,
    p50: latency.p50,
    p99: latency.p99,
    max: latency.max,
    answered: result['2xx'],
  }
}

/** One after the other, to all connections together: copies of all for each of them would take gigabytes. */
function drawFrom(all: readonly autocannon.Request[]): autocannon.Request {
  let drawn = 0
  return {
    setupRequest(one) {
      const next = all[drawn++]
      if (!next) throw new Error('Every request was sent')
      const request = { ...one, ...next }
      return typeof next.setupRequest === 'function' ? next.setupRequest(request, {}) : request
    },
  }
}

function toRequest({ headers = {}, ...request }: LoadRequest): autocannon.Request {
  const unique = Object.entries(headers).filter(([, value]) => value.includes('{unique}'))
  if (unique.length === 0) return { ...request, headers }
  return {
    ...request,
    setupRequest: (one) => ({
      ...one,
      headers: {
        ...headers,
        ...Object.fromEntries(unique.map(([name, value]) => [name, value.replace('{unique}', randomUUID())])),
      },
    }),
  }
}

function faultsOf({ errors, timeouts, non2xx }: Result): string {
  const faults = { errors, timeouts, 'other answers than 2xx': non2xx }
  return Object.entries(faults)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')
}
