import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { startApp } from '../../support/core/app.ts'

/** Existing files of the build, the repository and the machine, relative to `/assets/` and `/docs/static/`. */
const targets = [
  '.vite/manifest.json',
  '../package.json',
  '../../package.json',
  '../../../package.json',
  '../../.env.example',
  '../../../../../../../../etc/passwd',
]

/** Known encodings of a path traversal. */
const spellings: Record<string, (path: string) => string> = {
  unchanged: (path) => path,
  'encoded dots': (path) => path.replaceAll('..', '%2e%2e'),
  'encoded slashes': (path) => path.replaceAll('/', '%2f'),
  'all encoded': (path) => path.replaceAll('..', '%2E%2E').replaceAll('/', '%2F'),
  'encoded twice': (path) => path.replaceAll('..', '%252e%252e').replaceAll('/', '%252f'),
  backslashes: (path) => path.replaceAll('/', '\\'),
  'encoded backslashes': (path) => path.replaceAll('/', '%5c'),
  'an incomplete filter': (path) => path.replaceAll('../../', '....//'),
  'an overlong encoding': (path) => path.replaceAll('/', '%c0%af'),
  'a null byte': (path) => `${path}%00.js`,
  'a null byte first': (path) => `%00/${path}`,
  'a slash first': (path) => `/${path}`,
  'a drive': (path) => `C:\\${path}`,
  'a query': (path) => `${path}?x=.js`,
  'a semicolon': (path) => path.replaceAll('../../', '..;/'),
}

t.test('no path traversal leaves the folder of static files', async (t) => {
  const { app } = await startApp(t, {})
  await app.listen({ port: 0, host: '127.0.0.1' })
  const port = Number(new URL(app.listeningOrigin).port)
  /** Uses a raw socket because HTTP clients normalize the path. */
  const get = async (path: string) => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`)
    return text(socket)
  }
  for (const folder of ['/assets/', '/docs/static/', '/']) {
    for (const target of targets) {
      for (const [name, spell] of Object.entries(spellings)) {
        const answer = await get(folder + spell(target))
        const hint = `${folder}${target}, ${name}`
        t.match(answer, /^HTTP\/1\.1 (400|403|404) /, hint)
        t.notMatch(answer, /"dependencies"|root:|DATABASE_URL|isEntry/, hint)
      }
    }
  }
})

t.test('the server lists no folder and serves no hidden file', async (t) => {
  const { app } = await startApp(t)
  for (const url of ['/assets', '/assets/', '/assets/.', '/.git/config', '/.env']) {
    const answer = await app.inject(url)
    t.ok([400, 403, 404].includes(answer.statusCode), `${url} answers ${answer.statusCode}`)
    t.match(answer.headers['content-type'], /^application\/json/, url)
  }
})
