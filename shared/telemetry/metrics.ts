import { Counter, Histogram, Registry } from 'prom-client'

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

export type Metrics = ReturnType<typeof createMetrics>

/** No label holds a shop or a record (docs/operations.md, "What the metrics mean"). */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    requests: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Requests by method, route and status',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: seconds,
      registers,
    }),
    deliveries: new Counter({
      name: 'webhook_deliveries_total',
      help: 'Webhooks by topic and outcome',
      labelNames: ['topic', 'outcome'] as const,
      registers,
    }),
    jobs: new Histogram({
      name: 'job_duration_seconds',
      help: 'Job attempts by task and outcome',
      labelNames: ['task', 'outcome'] as const,
      buckets: seconds,
      registers,
    }),
  }
}
