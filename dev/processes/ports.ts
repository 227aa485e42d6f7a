import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** Returns `wanted`, or any free port for 0. Throws a message for the user when it is in use. */
export async function choosePort(wanted: number, variable: 'PORT' | 'SIMULATOR_PORT'): Promise<number> {
  if (wanted === 0) return anyPort()
  if ((await isFree(wanted)) && !(await isInUse(wanted))) return wanted
  const example = `${variable}=${Math.min(wanted + 1000, 65_535)} npm start`
  throw new Error(
    `Port ${wanted} is in use by another program: choose another with ${variable}, as in ${example}`,
  )
}

/**
 * A free port below those that systems use for outgoing connections, of which one could take a higher port before the
 * process listens.
 */
async function anyPort(): Promise<number> {
  const port = randomInt(10_000, 32_000)
  return (await isFree(port)) ? port : anyPort()
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'EADDRINUSE') return false
    if (code === 'EACCES') throw new Error(`Port ${port} may not be used by this user`)
    throw error
  }
  server.close()
  await once(server, 'close')
  return true
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
