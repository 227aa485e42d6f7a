import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/**
 * The port to listen on: the wanted one, or any free one for 0. Throws, with a sentence that says how to choose
 * another, when somebody listens there already.
 */
export async function choosePort(wanted: number, variable: 'PORT' | 'SIMULATOR_PORT'): Promise<number> {
  const port = await freePort(wanted)
  if (port !== undefined && !(await isAnswered(port))) return port
  const example = `${variable}=${Math.min(wanted + 1000, 65_535)} npm start`
  throw new Error(
    `Port ${wanted} is taken by another program: choose another with ${variable}, as in ${example}`,
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

/** `localhost` may mean either address, and some systems let two listen on one port. */
async function isAnswered(port: number): Promise<boolean> {
  const answers = await Promise.all(
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
  return answers.includes(true)
}
