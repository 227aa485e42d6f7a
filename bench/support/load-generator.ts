import { randomUUID } from 'node:crypto'
import autocannon, { type Result } from 'autocannon'
import type { Load, LoadRequest, LoadResult } from './load.ts'

/** Runs the load that the parent process sends, and returns the result to it. */
process.once('message', async (plan: Load) => {
  process.send?.(await run(plan).catch((error: unknown) => ({ failure: String(error) })))
})

async function run({ url, connections, seconds, requests, isShared = false }: Load): Promise<LoadResult> {
  const all = requests.map(toRequest)
  let clients = 0
  const result = await autocannon({
    url,
    connections,
    ...(seconds === undefined ? { amount: all.length } : { duration: seconds }),
    // autocannon ends a run only at a sample
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
  const failures = describeFailures(result)
  if (failures !== '') throw new Error(failures)
  const { latency } = result
  return {
    perSecond: result['2xx'] / result.duration,
    p50: latency.p50,
    p99: latency.p99,
    max: latency.max,
    answered: result['2xx'],
  }
}

/** Hands each request to the next free connection. A copy of the list per connection would take gigabytes. */
function drawFrom(all: readonly autocannon.Request[]): autocannon.Request {
  let used = 0
  return {
    setupRequest(template) {
      const next = all[used++]
      if (!next) throw new Error('All requests are sent already')
      const request = { ...template, ...next }
      return typeof next.setupRequest === 'function' ? next.setupRequest(request, {}) : request
    },
  }
}

function toRequest({ headers = {}, ...request }: LoadRequest): autocannon.Request {
  const unique = Object.entries(headers).filter(([, value]) => value.includes('{unique}'))
  if (unique.length === 0) return { ...request, headers }
  return {
    ...request,
    setupRequest: (template) => ({
      ...template,
      headers: {
        ...headers,
        ...Object.fromEntries(unique.map(([name, value]) => [name, value.replace('{unique}', randomUUID())])),
      },
    }),
  }
}

function describeFailures({ errors, timeouts, non2xx }: Result): string {
  const failures = { errors, timeouts, 'responses other than 2xx': non2xx }
  return Object.entries(failures)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')
}
