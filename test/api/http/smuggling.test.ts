import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { captureLog, startApp } from '../../support/core/app.ts'

/** A server on a socket, and what it answers to bytes: the statuses in order, and whether it hung up. */
async function start(t: Test) {
  const captured = await captureLog()
  const { app, alice } = await startApp(t, { log: captured.log })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const port = Number(new URL(app.listeningOrigin).port)
  const say = async (...parts: string[]) => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    let answer = ''
    socket.on('data', (data) => (answer += data))
    socket.on('error', () => {})
    const closed = once(socket, 'close').then(() => true)
    for (const part of parts) {
      socket.write(part)
      await sleep(20)
    }
    const hasHungUp = await Promise.race([closed, sleep(2_000, false)])
    socket.destroy()
    return {
      statuses: [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => Number(code)),
      hasHungUp,
      answer,
    }
  }
  const routes = () => captured.lines().map(({ route }) => route)
  return { alice, say, routes }
}

const inside = 'GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n'
const chunked = `0\r\n\r\n${inside}`

/** Requests whose end two servers may see in different places; the inner one must not be answered. */
const ambiguous: Record<string, string> = {
  'a length and chunks': `content-length: ${chunked.length}\r\ntransfer-encoding: chunked\r\n\r\n${chunked}`,
  'chunks and a length': `transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n${chunked}`,
  'two lengths': `content-length: 0\r\ncontent-length: ${inside.length}\r\n\r\n${inside}`,
  'the same length twice': `content-length: 5\r\ncontent-length: 5\r\n\r\nx=1&y`,
  'a list of lengths': `content-length: 0, ${inside.length}\r\n\r\n${inside}`,
  'a signed length': `content-length: +${inside.length}\r\n\r\n${inside}`,
  'a negative length': `content-length: -1\r\n\r\n${inside}`,
  'a length in hex': `content-length: 0x0\r\n\r\n${inside}`,
  'a length in words': `content-length: none\r\n\r\n${inside}`,
  'an unknown coding': `transfer-encoding: xchunked\r\n\r\n${chunked}`,
  'chunks that are not last': `transfer-encoding: chunked, identity\r\n\r\n${chunked}`,
  'chunks twice': `transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n\r\n${chunked}`,
  'a space before the colon': `transfer-encoding : chunked\r\n\r\n${chunked}`,
  'a folded header': `x-folded: a\r\n transfer-encoding: chunked\r\ncontent-length: 0\r\n\r\n`,
  'a folded coding': `transfer-encoding:\r\n chunked\r\n\r\n${chunked}`,
  'a bare line feed': `x-bare: a\ntransfer-encoding: chunked\r\n\r\n${chunked}`,
  'a bare carriage return': `x-bare: a\rtransfer-encoding: chunked\r\n\r\n${chunked}`,
  'a null byte': `x-null: a\0b\r\n\r\n`,
  'a chunk size in words': `transfer-encoding: chunked\r\n\r\nzz\r\n${inside}`,
  'a chunk size that overflows': `transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n${inside}`,
  'a chunk without its end': `transfer-encoding: chunked\r\n\r\n1\r\nxy\r\n${chunked}`,
}

t.test('a request that ends in two places is refused, and what hides in it is never served', async (t) => {
  const { alice, say, routes } = await start(t)
  for (const [name, rest] of Object.entries(ambiguous)) {
    const before = routes().length
    const head = `POST /api/suppliers HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${alice.token}\r\n`
    const { statuses, hasHungUp, answer } = await say(`${head}content-type: application/json\r\n${rest}`)
    t.ok(hasHungUp, `${name}: the connection is not used again`)
    t.ok(
      statuses.length <= 1 && statuses.every((status) => status >= 400 && status < 500),
      `${name}: ${answer}`,
    )
    t.notOk(routes().slice(before).includes('/readyz'), name)
  }
  t.match(
    (await say(inside.replace('host: x', 'host: x\r\nconnection: close'))).statuses,
    [200],
    'others are served',
  )
})

t.test('a host that is missing, or said twice, is refused', async (t) => {
  const { say } = await start(t)
  for (const head of ['', 'host: a\r\nhost: b\r\n']) {
    const { statuses } = await say(`GET /healthz HTTP/1.1\r\n${head}connection: close\r\n\r\n`)
    t.strictSame(
      statuses,
      head === '' ? [400] : [200],
      'a second host is ignored: nothing is made of the first',
    )
  }
})

t.test('requests in one piece, and one in many, are answered in their order', async (t) => {
  const { alice, say } = await start(t)
  const own = `host: x\r\nauthorization: Bearer ${alice.token}\r\n`
  const get = (path: string) => `GET ${path} HTTP/1.1\r\n${own}\r\n`
  const last = `GET /healthz HTTP/1.1\r\n${own}connection: close\r\n\r\n`
  const piped = ['/healthz', '/lost', '/api/suppliers', '/api/suppliers/999'].map(get).join('')
  t.strictSame((await say(piped + last)).statuses, [200, 404, 200, 404, 200])
  t.strictSame((await say(...(last.match(/[\s\S]{1,40}/g) ?? []))).statuses, [200])

  const body = JSON.stringify({ name: 'Acme' })
  const post = (length: number) =>
    `POST /api/suppliers HTTP/1.1\r\n${own}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`
  t.strictSame((await say(post(body.length) + last)).statuses, [201, 200], 'a body ends where it says')
  const { statuses, hasHungUp } = await say(post(body.length - 1) + last)
  t.ok(hasHungUp && statuses.every((status) => status === 400), 'and what follows is no request')
})
