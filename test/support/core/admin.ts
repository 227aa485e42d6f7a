import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { FrameLocator, Page } from 'playwright-core'
import type { Test } from 'tap'
import { installApp } from '../../../dev/demo/install.ts'
import { startPlatform } from '../../../dev/simulator/server.ts'
import type { StockCount, StockCountListItem } from '../../../shared/schemas/stock-counts.ts'
import { openBrowser } from '../web/browser.ts'
import { lendSystem, startSystem } from '../web/system.ts'
import { testKeys } from './database.ts'
import { instantIn } from './instants.ts'
import { deadline } from './machine.ts'
import { until } from './until.ts'

export const domain = 'browsing.myshop.example'

/** A tab of a browser, and the app in its frame. */
export type Tab = { page: Page; app: FrameLocator }

/**
 * Starts the whole system for browser tests: the simulator with a shop of six products, web and worker as
 * processes, and a browser. Script errors and content security violations of a page fail the test. The files of a process
 * share web and worker, unless a test stops them.
 */
export async function startAdmin(t: Test, { isShared = true } = {}) {
  await passMidnight()
  const { db, webUrl, simulatorPort, web, startWeb } = isShared ? await lendSystem(t) : await startSystem(t)
  const platform = await startPlatform({
    apiKey: testKeys.PLATFORM_API_KEY,
    apiSecret: testKeys.PLATFORM_API_SECRET,
    serverToken: testKeys.POSTMARK_SERVER_TOKEN,
    appUrl: webUrl,
    port: simulatorPort,
    shops: [{ domain, generated: { products: 6, variantsPerProduct: 1, locations: 2 } }],
  })
  t.teardown(platform.close)
  const simulatorUrl = `http://localhost:${platform.port}`
  const openPage = await openBrowser(t, webUrl)

  const adminUrl = `${simulatorUrl}/shops/${domain}/admin/apps/${testKeys.PLATFORM_API_KEY}`
  /** Repeats a request that the API is too busy for, as the pages do. */
  const request = (path: string, init: { method?: string; body?: string } = {}, more = {}) =>
    until(async () => {
      const authorization = `Bearer ${await platform.mintSessionToken(domain, 60)}`
      const response = await fetch(`${webUrl}/api${path}`, { ...init, headers: { authorization, ...more } })
      return response.status !== 503 && response
    }, `${path} is answered`)
  const get = async <T>(path: string): Promise<T> => {
    const { data }: { data: T } = JSON.parse(await (await request(path)).text())
    return data
  }
  /** Changes data through the API, for steps that are not under test. */
  const send = async <T>(method: 'POST' | 'PUT' | 'DELETE', path: string, body: object = {}): Promise<T> => {
    const init = { method, body: JSON.stringify(body) }
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
    const response = await request(path, init, headers)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status} ${text}`)
    const { data }: { data: T } = JSON.parse(text)
    return data
  }
  const getPdf = async (path: string) =>
    new Uint8Array(await (await request(path, {}, { accept: 'application/pdf' })).arrayBuffer())
  const untilSynced = () =>
    until(
      async () => (await get<{ state?: string }>('/sync'))?.state === 'done',
      'the catalogue sync is done',
    )

  return {
    platform,
    db,
    shop: platform.shops.get(domain),
    simulatorUrl,
    webUrl,
    adminUrl,
    get,
    send,
    getPdf,
    untilSynced,
    web,
    startWeb,
    /** Installs the app without the consent page, for tests of other features. */
    install: async () => {
      await installApp(webUrl, simulatorUrl, domain)
      await untilSynced()
    },
    /**
     * Opens a tab on an address of the simulator, or of the app in the shop admin when the address begins with a
     * slash.
     */
    open: async (address: string): Promise<Tab> => {
      const page = await openPage()
      page.setDefaultTimeout(deadline(45_000))
      page.on('pageerror', (error) => t.fail(`a script error on the page: ${error.message}`))
      page.on('console', (message) => {
        if (/Content Security Policy/.test(message.text())) t.fail(message.text())
      })
      await page.goto(address.startsWith('/') ? adminUrl + address : address)
      return { page, app: page.frameLocator('iframe.app') }
    },
  }
}

/** Waits for the next day when this one ends during the test, because tests name days. */
async function passMidnight(): Promise<void> {
  const dayIn = (ms: number) => instantIn(ms).toISOString().slice(0, 10)
  const tomorrow = dayIn(90_000)
  await until(() => dayIn(0) === tomorrow, 'the next day begins', 120_000)
}

export type Admin = Awaited<ReturnType<typeof startAdmin>>

/** Shows the tab again, as after another one, until the page has read what is older than five seconds. */
export const returnToTab = ({ page }: Tab, isRead: () => Promise<boolean>) =>
  until(async () => {
    await page.frames()[1]?.evaluate("dispatchEvent(new Event('visibilitychange'))")
    return isRead()
  }, 'the page reads its records again')

/**
 * Asserts a value of the page, which may still be rendering: waits until it is the expected one. A read that throws, such as one
 * during a navigation, is repeated too.
 */
export async function expectSoon(
  t: Test,
  read: () => Promise<unknown>,
  expected: unknown,
  message = 'the value is shown',
): Promise<void> {
  let last: unknown
  const isExpected = async () => {
    last = await read().catch((error: unknown) => error)
    return isDeepStrictEqual(last, expected)
  }
  await until(isExpected, message, 45_000).catch(() => {})
  t.strictSame(last, expected, message)
}

/** Below this width of the window the shop admin has a menu. */
const menuBelow = 768

/** Goes to a page of the app by the navigation of the shop admin. */
export async function goTo(app: FrameLocator, name: string): Promise<void> {
  await clickLink(app, name)
  // the page before has buttons of the same names
  await app.getByRole('heading', { name, level: 1, exact: true }).waitFor()
}

/** Clicks a link of the navigation, which is a menu on phones, where a question or an error may come before the page. */
export async function clickLink(app: FrameLocator, name: string): Promise<void> {
  const page = app.owner().page()
  // not by what is visible: the layout follows a moment after a change of the width
  const { width = menuBelow } = page.viewportSize() ?? {}
  if (width < menuBelow) await page.getByRole('button', { name: 'Menu' }).click()
  const [list, link] = name === 'Home' ? ['Shop', 'Quartermaster'] : ['Quartermaster', name]
  await page.getByRole('navigation', { name: list }).getByRole('link', { name: link, exact: true }).click()
}

/** Adds a supplier and opens its page. */
export async function addSupplier({ app }: Tab, name: string, email: string): Promise<void> {
  await goTo(app, 'Suppliers')
  await app.getByRole('link', { name: 'Create a supplier' }).first().click()
  await app.getByLabel('Name').fill(name)
  await app.getByLabel('E-mail').fill(email)
  await app.getByRole('button', { name: 'Save' }).first().click()
  await app.getByRole('heading', { name, level: 1 }).waitFor()
}

/**
 * Creates a draft order of the first product that `search` finds, starting on the supplier's page, and opens it.
 */
export async function writeOrder(
  { app }: Tab,
  search: string,
  quantity: number,
  cost: string,
): Promise<void> {
  await app.getByRole('link', { name: 'Create an order' }).first().click()
  await app.getByLabel('Add a product').fill(search)
  await app.getByRole('option').first().click()
  await app.getByLabel(/^Quantity of/).fill(String(quantity))
  await app.getByLabel(/^Unit cost of/).fill(cost)
  await app.getByRole('button', { name: 'Save draft' }).click()
  await app.getByRole('heading', { name: /^PO-/, level: 1 }).waitFor()
}

type Product = { title: string; variants: { variantId: string; sku: string; barcode: string }[] }
type Level = { variantId: string; currentStock: number }

/** The shop's products with their stock at the first location, and the steps of a count there. */
export async function openCounting({ shop, get }: Admin) {
  const [location] = await get<{ locationId: string; name: string }[]>('/locations')
  if (!location) throw new Error('The shop has no location')
  const at = `locationId=${encodeURIComponent(location.locationId)}`
  const readStock = async (variantId: string) => {
    const [level] = await get<Level[]>(`/stock-levels?${at}&variantId=${encodeURIComponent(variantId)}`)
    return level?.currentStock ?? 0
  }
  const products = await Promise.all(
    (await get<Product[]>('/products')).map(async ({ title, variants: [variant] }) => {
      if (!variant) throw new Error(`${title} has no variant`)
      return { ...variant, title, stock: await readStock(variant.variantId) }
    }),
  )
  return {
    location,
    /** Ordered by stock, the largest first. */
    products: products.sort((a, b) => b.stock - a.stock),
    /** Waits until a product has this quantity, in the app and on the platform. */
    untilStock: async (variantId: string, quantity: number) => {
      await until(async () => (await readStock(variantId)) === quantity, `${quantity} units in the app`)
      const isOnPlatform = () => shop.stockOf(variantId, location.locationId) === quantity
      await until(isOnPlatform, `${quantity} units on the platform`)
    },
    newestCount: async () => {
      const [newest] = await get<StockCountListItem[]>('/stock-counts?limit=1')
      return get<StockCount>(`/stock-counts/${newest?.id}`)
    },
    /** Starts a count from the list of counts. */
    startCount: async ({ app }: Tab, options: ('Add every product' | 'Count blind')[] = []) => {
      await app.getByRole('link', { name: 'Start a count' }).first().click()
      // the list has a field of the same name
      await app.getByRole('heading', { name: 'Start a count', level: 1 }).waitFor()
      await app.getByRole('combobox', { name: 'Location', exact: true }).click()
      await app.getByRole('option', { name: location.name, exact: true }).click()
      for (const option of options) await app.getByLabel(option).check()
      await app.getByRole('button', { name: 'Start counting' }).click()
      await untilScannable({ app })
    },
  }
}

/** Waits for the focus of the scan field, which it gets a moment after it is shown: keys before that are lost. */
export const untilScannable = ({ app }: Pick<Tab, 'app'>): Promise<void> =>
  app.getByLabel('Scan or type').and(app.locator(':focus')).waitFor()

/**
 * Types a code as a scanner does: into the focused element, without delay, and Enter at the end. Each repeat after the first scan is one
 * input (`enterText`).
 */
export async function scan({ page }: { page: Page }, code: string, times = 1): Promise<void> {
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
  for (let left = times - 1; left > 0; left -= 1) {
    await enterText(page, code)
    await page.keyboard.press('Enter')
  }
}

/**
 * Types many characters into the focused element: the first as a key, which may move the focus, and the others as one input, since
 * the browser needs 10 ms of processor time for each key.
 */
export async function enterText({ keyboard }: Page, text: string): Promise<void> {
  await keyboard.type(text.slice(0, 1))
  const rest = text.slice(1)
  // an empty input would delete what is selected
  if (rest !== '') await keyboard.insertText(rest)
}

/**
 * Records the tones that the app's frame plays from now on; returns what reads them: each sound as its frequencies in Hz. The tones
 * of one sound start in the same run of the page's code, however long that run takes; two sounds of one run count as one.
 */
export async function listenToSounds({ page }: Tab): Promise<() => Promise<string[]>> {
  const frame = page.frames()[1]
  await frame?.evaluate(`
    globalThis.sounds = []
    let sound
    const start = OscillatorNode.prototype.start
    OscillatorNode.prototype.start = function (...at) {
      if (!sound) {
        sounds.push((sound = []))
        queueMicrotask(() => (sound = undefined))
      }
      sound.push(this.frequency.value)
      return start.apply(this, at)
    }
  `)
  return async () => {
    const sounds = (await frame?.evaluate('globalThis.sounds')) as number[][]
    return sounds.map((tones) => tones.join(' '))
  }
}
