import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { startApp } from '../../support/core/app.ts'

/** From `/assets/` and from `/docs/static/` to files that are there: of the build, of the repository, of the machine. */
const targets = [
  '.vite/manifest.json',
  '../package.json',
  '../../package.json',
  '../../../package.json',
  '../../.env.example',
  '../../../../../../../../etc/passwd',
]

/** The same way up, as many have spelled it. */
const spellings: Record<string, (path: string) => string> = {
  'as it is': (path) => path,
  'encoded dots': (path) => path.replaceAll('..', '%2e%2e'),
  'encoded slashes': (path) => path.replaceAll('/', '%2f'),
  'all encoded': (path) => path.replaceAll('..', '%2E%2E').replaceAll('/', '%2F'),
  'encoded twice': (path) => path.replaceAll('..', '%252e%252e').replaceAll('/', '%252f'),
  backslashes: (path) => path.replaceAll('/', '\\'),
  'encoded backslashes': (path) => path.replaceAll('/', '%5c'),
  'half a filter': (path) => path.replaceAll('../../', '....//'),
  'too long a code': (path) => path.replaceAll('/', '%c0%af'),
  'a null byte': (path) => `${path}%00.js`,
  'a null byte first': (path) => `%00/${path}`,
  'a slash first': (path) => `/${path}`,
  'a drive': (path) => `C:\\${path}`,
  'a query': (path) => `${path}?x=.js`,
  'a semicolon': (path) => path.replaceAll('../../', '..;/'),
}

t.test('no spelling of a way up leads out of the folder of files', async (t) => {
  const { app } = await startApp(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const port = Number(new URL(app.listeningOrigin).port)
  /** On a socket: clients would tidy the address before they send it. */
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

t.test('no folder is listed, and no file of the system is served', async (t) => {
  const { app } = await startApp(t)
  for (const url of ['/assets', '/assets/', '/assets/.', '/.git/config', '/.env']) {
    const answer = await app.inject(url)
    t.ok([400, 403, 404].includes(answer.statusCode), `${url} answers ${answer.statusCode}`)
    t.match(answer.headers['content-type'], /^application\/json/, url)
  }
})
