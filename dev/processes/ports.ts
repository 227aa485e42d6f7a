import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** Returns `wanted`, or any free port for 0. Throws a message for the user when it is in use. */
export async function choosePort(wanted: number, variable: 'PORT' | 'SIMULATOR_PORT'): Promise<number> {
  const port = await freePort(wanted)
  // the system has just chosen it, and a connection to a free port may end up connected to itself
  if (port !== undefined && (wanted === 0 || !(await isInUse(port)))) return port
  const example = `${variable}=${Math.min(wanted + 1000, 65_535)} npm start`
  throw new Error(
    `Port ${wanted} is in use by another program: choose another with ${variable}, as in ${example}`,
  )
}

async function freePort(wanted: number): Promise<number | undefined> {
  const server = createServer().listen(wanted, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'EADDRINUSE') return undefined
    if (code === 'EACCES') throw new Error(`Port ${wanted} may not be used by this user`)
    throw error
  }
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : undefined
}

/** `localhost` may resolve to either address, and some systems let two programs listen on one port. */
async function isInUse(port: number): Promise<boolean> {
  const connected = await Promise.all(
    ['127.0.0.1', '::1'].map(async (host) => {
      const socket = connect({ host, port })
      try {
        await once(socket, 'connect')
        return true
      } catch {
        return false
      } finally {
        socket.destroy()
      }
    }),
  )
  return connected.includes(true)
}
