import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { startPlatform } from '../../../dev/simulator/server.ts'
import { until } from '../../support/core/until.ts'
import { clientOf, keys, mail } from './simulator.ts'

const file = fileURLToPath(new URL('../../../dev/simulator/server.ts', import.meta.url))

function spawnSimulator(mailFolder: string, more: Record<string, string> = {}) {
  return spawn(process.execPath, [file], {
    env: {
      PLATFORM_API_KEY: keys.apiKey,
      PLATFORM_API_SECRET: keys.apiSecret,
      POSTMARK_SERVER_TOKEN: keys.serverToken,
      MAIL_FOLDER: mailFolder,
      ...more,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

t.test('the simulator runs as a separate process, and a confirmed mail survives its crash', async (t) => {
  const mailFolder = t.testdir()
  const child = spawnSimulator(mailFolder)
  t.teardown(() => child.kill('SIGKILL'))
  const [line] = await once(child.stdout, 'data')
  const { port } = new URL(String(line).trim())
  const { ServerClient } = await import('postmark')
  const client = new ServerClient(keys.serverToken, { useHttps: false, requestHost: `127.0.0.1:${port}` })
  const { MessageID } = await client.sendEmail(mail)
  child.kill('SIGKILL')
  await once(child, 'exit')

  const restarted = await startPlatform({ ...keys, mailFolder })
  t.teardown(restarted.close)
  t.match(restarted.mails(), [{ MessageID }])
})

t.test('SIGTERM stops the simulator', async (t) => {
  const child = spawnSimulator(t.testdir())
  t.teardown(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  t.strictSame(await once(child, 'exit'), [0, null])
})

t.test('a hanging request does not delay closing', async (t) => {
  const platform = await startPlatform(keys)
  platform.faults.set({ mails: [{ fault: 'hang' }] })
  const sending = clientOf(platform, keys.serverToken).sendEmail(mail)
  sending.catch(() => {})
  await until(() => platform.faults.current().mails.length === 0, 'the mail has arrived')
  await platform.close()
  await t.rejects(sending)
})

t.test('a port in use is reported', async (t) => {
  const platform = await startPlatform(keys)
  t.teardown(platform.close)
  await t.rejects(startPlatform({ ...keys, port: platform.port }), { code: 'EADDRINUSE' })
})

t.test('SIGTERM stores the shops of the simulator process', async (t) => {
  const folder = t.testdir()
  const started = async () => {
    const child = spawnSimulator(join(folder, 'mails'), { DATA_FOLDER: join(folder, 'platform') })
    t.teardown(() => child.kill('SIGKILL'))
    const [line] = await once(child.stdout, 'data')
    return { child, shop: `${String(line).trim()}/shops/demo.myshop.example` }
  }
  const first = await started()
  const body = new URLSearchParams({ kind: 'picked', variant1: 'MUG-STN-350', quantity1: '4711' })
  await fetch(`${first.shop}/orders`, { method: 'POST', body, redirect: 'manual' })
  first.child.kill('SIGTERM')
  await once(first.child, 'exit')

  const second = await started()
  t.match(await (await fetch(`${second.shop}/orders`)).text(), '4711 × Stoneware mug')
})
