import { createServer, type Server } from 'node:http'
import type { Config } from '../config.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

/** Serves `/metrics` on METRICS_PORT, if that is set. Returns the function that closes the server. */
export async function serveMetrics(config: Config, { registry }: Metrics, log: Log): Promise<() => void> {
  const { METRICS_PORT: port, HOST: host } = config
  if (port === undefined) return () => {}
  const server: Server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (err: unknown) => {
        log.warn({ err }, 'metrics failed')
        response.writeHead(500).end()
      },
    )
  })
  await new Promise<void>((listening, failed) => {
    server.once('error', failed).listen(port, host, listening)
  })
  const address = server.address()
  log.info({ port: typeof address === 'object' ? address?.port : port }, 'metrics served')
  return () => {
    server.closeAllConnections()
    server.close()
  }
}
