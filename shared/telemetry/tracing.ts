import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'

/** A process that has been told to stop has better uses for its last seconds. */
const maxEndMs = 1_500

/**
 * Sends traces to the collector that the standard variables name, and answers what sends the rest of them, which
 * throws when the collector does not take them soon. Without OTEL_EXPORTER_OTLP_ENDPOINT nothing of it is loaded, and
 * spans cost nothing.
 */
export async function startTracing(config: Config, processName: string): Promise<() => Promise<void>> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return async () => {}
  const { exportTraces } = await import('./trace-export.ts')
  const end = exportTraces(processName)
  return async () => {
    const late = sleep(maxEndMs, undefined, { ref: false }).then(() => {
      throw new Error(`The collector did not answer within ${maxEndMs} ms.`)
    })
    await Promise.race([end(), late])
  }
}
