import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'

const scripts = ['app-bridge.js', 'admin-frame.js']

/** Serves the script that apps load from the platform, and its counterpart in the shop admin. */
export function addBridgeRoutes(app: FastifyInstance) {
  for (const name of scripts) {
    app.get(`/${name}`, async (_request, reply) =>
      reply
        .type('text/javascript; charset=utf-8')
        .header('cache-control', 'no-cache')
        .send(await readFile(new URL(name, import.meta.url))),
    )
  }
}
