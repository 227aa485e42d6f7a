import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

export type TestProxy = {
  /** The target's address through the proxy. */
  url: string
  /** Accepts data and forwards nothing, without closing connections: a network partition. */
  swallow: () => void
  /** Closes all connections and refuses new ones. */
  refuse: () => void
  /** Forwards new connections again. Connections from before `swallow` stay dead. */
  pass: () => void
}

/** A TCP proxy between a process and a server that simulates network failures. */
export async function startProxy(t: Test, target: string): Promise<TestProxy> {
  const { hostname, port } = new URL(target)
  let mode: 'pass' | 'swallow' | 'refuse' = 'pass'
  const pairs = new Set<[Socket, Socket]>()
  const server = createServer((from) => {
    if (mode === 'refuse') return from.destroy()
    if (mode === 'swallow') return from.on('error', () => {}).resume()
    const to = connect(Number(port), hostname)
    const pair: [Socket, Socket] = [from, to]
    pairs.add(pair)
    const end = () => {
      for (const socket of pair) socket.destroy()
      pairs.delete(pair)
    }
    for (const socket of pair) socket.setNoDelay().on('error', end).on('close', end)
    from.pipe(to)
    to.pipe(from)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endAll = () => {
    for (const [from, to] of pairs) {
      from.destroy()
      to.destroy()
    }
    pairs.clear()
  }
  t.teardown(() => {
    endAll()
    server.close()
  })
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    swallow() {
      mode = 'swallow'
      for (const [from, to] of pairs) {
        from.unpipe(to).removeAllListeners('close').resume()
        to.unpipe(from).removeAllListeners('close').resume()
      }
    },
    refuse() {
      mode = 'refuse'
      endAll()
    },
    pass() {
      mode = 'pass'
    },
  }
}
