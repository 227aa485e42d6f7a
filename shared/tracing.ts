import type { Config } from './config.ts'

/**
 * Sends traces to the collector that the standard variables name, and answers what sends the rest of them. Without
 * OTEL_EXPORTER_OTLP_ENDPOINT nothing of it is loaded, and spans cost nothing.
 */
export async function startTracing(config: Config, processName: string): Promise<() => Promise<void>> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return async () => {}
  const { exportTraces } = await import('./trace-export.ts')
  return exportTraces(processName)
}
