import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { startApp } from '../support/core/app.ts'
import { listEndpoints } from '../support/core/endpoints.ts'

const source = fileURLToPath(new URL('../../web/src/api/endpoints.ts', import.meta.url))

t.test('every address that the admin asks for is there', async (t) => {
  const { app } = await startApp(t)
  const known = (await listEndpoints(app)).map(({ name }) => name)
  const asked = [...readFileSync(source, 'utf8').matchAll(/^ {2}'([A-Z]+) (\/[^']+)'/gm)]
  t.ok(asked.length > 10)
  for (const [, method = '', path = ''] of asked) {
    const name = `${method} /api${path.replace(/:(\w+)/g, '{$1}')}`
    t.ok(known.includes(name), name)
  }
})
