import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { captureLog, startApp } from '../../support/core/app.ts'
import { deadline } from '../../support/core/machine.ts'

/** Starts a server; `sendRaw` returns the statuses of its responses in order, and whether it closed the connection. */
async function start(t: Test) {
  const captured = await captureLog()
  const { app, alice } = await startApp(t, { log: captured.log })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const port = Number(new URL(app.listeningOrigin).port)
  const sendRaw = async (...parts: string[]) => {
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
    const isClosed = await Promise.race([closed, sleep(deadline(15_000), false, { ref: false })])
    socket.destroy()
    return {
      statuses: [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => Number(code)),
      isClosed,
      answer,
    }
  }
  const routes = () => captured.lines().map(({ route }) => route)
  return { alice, sendRaw, routes }
}

const inside = 'GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n'
const chunked = `0\r\n\r\n${inside}`

/** Requests whose end a proxy and the server may see in different places; the inner request must not be served. */
const ambiguous: Record<string, string> = {
  'a length and chunks': `content-length: ${chunked.length}\r\ntransfer-encoding: chunked\r\n\r\n${chunked}`,
  'chunks and a length': `transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n${chunked}`,
  'two lengths': `content-length: 0\r\ncontent-length: ${inside.length}\r\n\r\n${inside}`,
  'the same length twice': `content-length: 5\r\ncontent-length: 5\r\n\r\nx=1&y`,
  'a list of lengths': `content-length: 0, ${inside.length}\r\n\r\n${inside}`,
  'a signed length': `content-length: +${inside.length}\r\n\r\n${inside}`,
  'a negative length': `content-length: -1\r\n\r\n${inside}`,
  'a length in hex': `content-length: 0x0\r\n\r\n${inside}`,
  'a length that is not a number': `content-length: none\r\n\r\n${inside}`,
  'an unknown coding': `transfer-encoding: xchunked\r\n\r\n${chunked}`,
  'chunks that are not last': `transfer-encoding: chunked, identity\r\n\r\n${chunked}`,
  'chunks twice': `transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n\r\n${chunked}`,
  'a space before the colon': `transfer-encoding : chunked\r\n\r\n${chunked}`,
  'a folded header': `x-folded: a\r\n transfer-encoding: chunked\r\ncontent-length: 0\r\n\r\n`,
  'a folded coding': `transfer-encoding:\r\n chunked\r\n\r\n${chunked}`,
  'a bare line feed': `x-bare: a\ntransfer-encoding: chunked\r\n\r\n${chunked}`,
  'a bare carriage return': `x-bare: a\rtransfer-encoding: chunked\r\n\r\n${chunked}`,
  'a null byte': `x-null: a\0b\r\n\r\n`,
  'a chunk size that is not a number': `transfer-encoding: chunked\r\n\r\nzz\r\n${inside}`,
  'a chunk size that overflows': `transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n${inside}`,
  'a chunk without its end': `transfer-encoding: chunked\r\n\r\n1\r\nxy\r\n${chunked}`,
}

t.test(
  'the server refuses a request with an ambiguous end and does not serve the inner request',
  async (t) => {
    const { alice, sendRaw, routes } = await start(t)
    for (const [name, rest] of Object.entries(ambiguous)) {
      const before = routes().length
      const head = `POST /api/suppliers HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${alice.token}\r\n`
      const { statuses, isClosed, answer } = await sendRaw(`${head}content-type: application/json\r\n${rest}`)
      t.ok(isClosed, `${name}: the server closes the connection`)
      t.ok(
        statuses.length <= 1 && statuses.every((status) => status >= 400 && status < 500),
        `${name}: ${answer}`,
      )
      t.notOk(routes().slice(before).includes('/readyz'), name)
    }
    t.match(
      (await sendRaw(inside.replace('host: x', 'host: x\r\nconnection: close'))).statuses,
      [200],
      'an unambiguous request is served',
    )
  },
)

t.test('the server refuses a missing host and ignores a second one', async (t) => {
  const { sendRaw } = await start(t)
  for (const head of ['', 'host: a\r\nhost: b\r\n']) {
    const { statuses } = await sendRaw(`GET /healthz HTTP/1.1\r\n${head}connection: close\r\n\r\n`)
    t.strictSame(statuses, head === '' ? [400] : [200], 'the server does not use the host')
  }
})

t.test('the server answers pipelined and fragmented requests in order', async (t) => {
  const { alice, sendRaw } = await start(t)
  const own = `host: x\r\nauthorization: Bearer ${alice.token}\r\n`
  const get = (path: string) => `GET ${path} HTTP/1.1\r\n${own}\r\n`
  const last = `GET /healthz HTTP/1.1\r\n${own}connection: close\r\n\r\n`
  const piped = ['/healthz', '/lost', '/api/suppliers', '/api/suppliers/999'].map(get).join('')
  t.strictSame((await sendRaw(piped + last)).statuses, [200, 404, 200, 404, 200])
  t.strictSame((await sendRaw(...(last.match(/[\s\S]{1,40}/g) ?? []))).statuses, [200])

  const body = JSON.stringify({ name: 'Acme' })
  const post = (length: number) =>
    `POST /api/suppliers HTTP/1.1\r\n${own}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`
  t.strictSame(
    (await sendRaw(post(body.length) + last)).statuses,
    [201, 200],
    'a body ends after its content length',
  )
  const { statuses, isClosed } = await sendRaw(post(body.length - 1) + last)
  t.ok(isClosed && statuses.every((status) => status === 400), 'the rest of the body is not a request')
})
