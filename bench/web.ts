import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core'
import { launchBrowser } from '../dev/browser.ts'
import { type DemoSystem, withDemoSystem } from '../dev/demo/demo-system.ts'
import { type BenchOptions, runBench } from './support/command.ts'
import type { Figure, Target } from './support/figures.ts'
import { median } from './support/rounds.ts'

/** Web Vitals: LCP and INP in milliseconds, CLS without a unit. */
type Vitals = { LCP: number; CLS: number; INP: number }

const slowDown = 4
const sections = ['Purchase orders', 'Suppliers', 'Reorder', 'Stock', 'Transfers', 'Counts', 'Reports']

const vitalsLibrary = fileURLToPath(
  import.meta.resolve('web-vitals').replace(/web-vitals\.js$/, 'web-vitals.iife.js'),
)
const observe = `
  globalThis.vitals = { LCP: 0, CLS: 0, INP: 0 }
  for (const name of ['LCP', 'CLS', 'INP'])
    webVitals['on' + name](({ value }) => { vitals[name] = value }, { reportAllChanges: true, durationThreshold: 16 })
`

/**
 * Measures the production build of the admin in the frame of a shop admin, with a processor slowed down four times.
 */
async function measureWeb({ isQuick }: BenchOptions): Promise<Figure[]> {
  const rounds = isQuick ? 1 : 5
  return withDemoSystem(async (system) => {
    const browser = await launchBrowser()
    try {
      const bytes = await firstLoad(browser, system)
      const results: Vitals[] = []
      const bare: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        bare.push(await bareLcp(browser, system))
        results.push(await visitSections(browser, system, isQuick ? sections.slice(0, 2) : sections))
      }
      const max = (limit: number): Target => ({ of: 'value', at: 'max', limit })
      return [
        {
          what: 'LCP of the embedded page',
          unit: 'ms',
          value: median(results.map(({ LCP }) => LCP)),
          baseline: { what: 'a page without scripts', value: median(bare) },
          target: max(1500),
          detail: { slowDown, results, bare },
        },
        { what: 'CLS', unit: '', value: Math.max(...results.map(({ CLS }) => CLS)), target: max(0.05) },
        { what: 'INP', unit: 'ms', value: median(results.map(({ INP }) => INP)), target: max(100) },
        { what: 'First load, compressed', unit: 'kB', value: bytes / 1000, target: max(250) },
      ]
    } finally {
      await browser.close()
    }
  })
}

/** Bytes that a browser with an empty cache loads from web, without API responses. */
async function firstLoad(browser: Browser, { adminUrl, webUrl }: DemoSystem): Promise<number> {
  const { context, page } = await openSlow(browser, 1)
  const loaded: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    const { origin, pathname } = new URL(request.url())
    if (origin !== webUrl || pathname.startsWith('/api/')) return
    loaded.push(request.sizes().then((sizes) => sizes.responseBodySize + sizes.responseHeadersSize))
  })
  await openAdmin(page, adminUrl)
  const bytes = await Promise.all(loaded)
  await context.close()
  return bytes.reduce((sum, size) => sum + size, 0)
}

/** LCP of a page without scripts: the speed of the machine itself. */
async function bareLcp(browser: Browser, { simulatorUrl }: DemoSystem): Promise<number> {
  const { context, page } = await openSlow(browser, slowDown)
  await page.goto(`${simulatorUrl}/inbox`)
  await untilIdle(page.mainFrame())
  const { LCP } = (await page.evaluate('vitals')) as Vitals
  await context.close()
  return LCP
}

/** Opens the admin, visits its sections and types into a search field. */
async function visitSections(
  browser: Browser,
  { adminUrl }: DemoSystem,
  names: readonly string[],
): Promise<Vitals> {
  const { context, page } = await openSlow(browser, slowDown)
  const app = await openAdmin(page, adminUrl)
  const { LCP } = await vitalsOf(page)
  for (const name of names) {
    await app.getByRole('link', { name, exact: true }).first().click()
    await app.getByRole('heading', { level: 1, name }).waitFor()
    await untilIdle(frameOf(page))
  }
  await app.getByRole('link', { name: 'Stock', exact: true }).first().click()
  await app.getByRole('searchbox').first().pressSequentially('mug', { delay: 80 })
  await untilIdle(frameOf(page))
  const { CLS, INP } = await vitalsOf(page)
  await context.close()
  return { LCP, CLS, INP }
}

async function openSlow(browser: Browser, rate: number): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  await context.addInitScript(`${await readFile(vitalsLibrary, 'utf8')};${observe}`)
  const page = await context.newPage()
  const client = await context.newCDPSession(page)
  await client.send('Emulation.setCPUThrottlingRate', { rate })
  return { context, page }
}

async function openAdmin(page: Page, adminUrl: string) {
  await page.goto(adminUrl)
  const app = page.frameLocator('iframe.app')
  await app.getByRole('heading', { level: 1 }).waitFor()
  await untilIdle(frameOf(page))
  return app
}

function frameOf(page: Page): Frame {
  const frame = page.frames().find((candidate) => candidate.parentFrame() !== null)
  if (!frame) throw new Error('The admin is not in its frame')
  return frame
}

/** Waits until nothing has loaded for 700 ms. The browser's `networkidle` is not reliable in frames. */
const untilIdle = (frame: Frame) =>
  frame.evaluate(`(async () => {
    for (let before = -1, now = 0; now > before; now = performance.getEntriesByType('resource').length) {
      before = now
      await new Promise((done) => setTimeout(done, 700))
    }
  })()`)

async function vitalsOf(page: Page): Promise<Vitals> {
  const frame = frameOf(page)
  // the browser reports a paint in a later task
  await frame.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))')
  return (await frame.evaluate('vitals')) as Vitals
}

if (import.meta.main) await runBench('web', measureWeb)
