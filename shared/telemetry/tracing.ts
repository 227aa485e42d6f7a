import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'

/** Short, because a stopping process needs its last seconds for requests and jobs. */
const maxFlushMs = 1_500

/**
 * Sends traces to the collector of OTEL_EXPORTER_OTLP_ENDPOINT. Without that variable no tracing code is loaded, and
 * spans cost nothing. Returns a function that sends the remaining traces; it throws after 1.5 s without an answer.
 */
export async function startTracing(config: Config, processName: string): Promise<() => Promise<void>> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return async () => {}
  const { exportTraces } = await import('./trace-export.ts')
  const flush = exportTraces(processName)
  return async () => {
    const timeout = sleep(maxFlushMs, undefined, { ref: false }).then(() => {
      throw new Error(`The collector did not answer within ${maxFlushMs} ms.`)
    })
    await Promise.race([flush(), timeout])
  }
}
