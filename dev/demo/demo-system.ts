import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSystem } from '../system.ts'
import { demoShop } from './demo-data.ts'
import { workInDemoShop } from './demo-work.ts'

export type DemoSystem = {
  webUrl: string
  simulatorUrl: string
  /** The page of the shop admin that embeds the app. */
  adminUrl: string
}

/** Runs the whole system with the demo shop while `use` runs, in a temporary folder. */
export async function withDemoSystem<T>(use: (system: DemoSystem) => Promise<T>): Promise<T> {
  await using started = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'quartermaster-demo-'))
  started.defer(() => rm(dataDir, { recursive: true, force: true }))
  const options = { dataDir, webPort: 0, simulatorPort: 0, isReset: false, isVerbose: false }
  const view = { isVerbose: false, write: (line: string) => console.error(line) }
  // a high throttle limit, so that the catalogue sync does not wait for the platform
  const system = createSystem(options, view, { throttle: { maximum: 1_000_000, restoreRate: 1_000_000 } })
  started.defer(system.stop)
  const { webUrl, simulatorUrl } = await system.start(new AbortController().signal)
  const token = () => readText(`${simulatorUrl}/shops/${demoShop}/session-token.txt?minutes=10`)
  await workInDemoShop(webUrl, token)
  const { url: adminUrl } = await fetch(`${simulatorUrl}/shops/${demoShop}/admin`)
  return await use({ webUrl, simulatorUrl, adminUrl })
}

const readText = async (url: string) => (await fetch(url)).text()
