import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { FaultScript } from '../faults.ts'

/** Serves the script that apps load from the platform, and its counterpart in the shop admin. */
export function addBridgeRoutes(app: FastifyInstance, faults: FaultScript) {
  const addScript = (name: string, files: () => readonly string[]) =>
    app.get(`/${name}`, async (_request, reply) => {
      const texts = await Promise.all(files().map((file) => readFile(new URL(file, import.meta.url), 'utf8')))
      return reply
        .type('text/javascript; charset=utf-8')
        .header('cache-control', 'no-cache')
        .send(texts.join('\n'))
    })
  addScript('app-bridge.js', () =>
    faults.current().withoutAppNavigation ? ['app-bridge.js'] : ['app-bridge.js', 'app-navigation.js'],
  )
  addScript('admin-frame.js', () => ['admin-frame.js'])
}
