import type { FrameLocator, Page } from 'playwright-core'
import type { Test } from 'tap'
import { installApp } from '../../../dev/demo/install.ts'
import { choosePort } from '../../../dev/processes/ports.ts'
import { startPlatform } from '../../../dev/simulator/server.ts'
import { openDb } from '../../../shared/db/db.ts'
import { startBrowser } from './browser.ts'
import { createDatabase, testConfig, testEnvironment, testKeys } from './database.ts'
import { startProcess, until } from './processes.ts'

export const domain = 'browsing.myshop.example'

/** A tab of a browser, and the app in its frame. */
export type Tab = { page: Page; app: FrameLocator }

/**
 * Everything that a merchant's browser meets: the simulator with a shop of six products, `web` and `worker` as processes,
 * and a browser. Whatever a page complains about fails the test.
 */
export async function startAdmin(t: Test) {
  const url = await createDatabase()
  const webPort = await choosePort(0, 'PORT')
  const webUrl = `http://localhost:${webPort}`
  const platform = await startPlatform({
    apiKey: testKeys.PLATFORM_API_KEY,
    apiSecret: testKeys.PLATFORM_API_SECRET,
    serverToken: testKeys.POSTMARK_SERVER_TOKEN,
    appUrl: webUrl,
    shops: [{ domain, generated: { products: 6, variantsPerProduct: 1, locations: 2 } }],
  })
  t.teardown(platform.close)
  const simulatorUrl = `http://localhost:${platform.port}`
  const env = testEnvironment(url, {
    PORT: String(webPort),
    APP_URL: webUrl,
    POSTMARK_API_URL: simulatorUrl,
    PLATFORM_SHOP_AUTH_URL: `${simulatorUrl}/shops/{shop_domain}/admin/oauth`,
    PLATFORM_GRAPHQL_URL: `${simulatorUrl}/shops/{shop_domain}/admin/api/2026-07/graphql.json`,
    PLATFORM_ADMIN_APP_URL: `${simulatorUrl}/shops/{shop_domain}/admin/apps/{api_key}`,
    PLATFORM_FRAME_ANCESTORS: simulatorUrl,
    PLATFORM_APP_BRIDGE_URL: `${simulatorUrl}/app-bridge.js`,
    LOG_LEVEL: 'info',
  })
  const startWeb = async () => {
    const process = startProcess(t, 'api/server.ts', env)
    await until(() => /listening/.test(process.output()), 'web listens')
    return process
  }
  const web = startWeb()
  startProcess(t, 'worker/main.ts', env)
  const db = await openDb(testConfig(url), 2)
  t.teardown(() => db.end())
  const browser = await startBrowser(t)
  await web

  const adminUrl = `${simulatorUrl}/shops/${domain}/admin/apps/${testKeys.PLATFORM_API_KEY}`
  const ask = async (path: string, init: { method?: string; body?: string } = {}, more = {}) => {
    const authorization = `Bearer ${await platform.mintSessionToken(domain, 60)}`
    return fetch(`${webUrl}/api${path}`, { ...init, headers: { authorization, ...more } })
  }
  const get = async <T>(path: string): Promise<T> => {
    const { data }: { data: T } = JSON.parse(await (await ask(path)).text())
    return data
  }
  /** Changes something without a page, where the way there is not what is tried. */
  const send = async <T>(method: 'POST' | 'PUT', path: string, body: object = {}): Promise<T> => {
    const init = { method, body: JSON.stringify(body) }
    const answer = await ask(path, init, { 'content-type': 'application/json' })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status} ${text}`)
    const { data }: { data: T } = JSON.parse(text)
    return data
  }
  const getPdf = async (path: string) =>
    new Uint8Array(await (await ask(path, {}, { accept: 'application/pdf' })).arrayBuffer())
  const untilRead = () =>
    until(async () => (await get<{ state?: string }>('/sync'))?.state === 'done', 'the catalogue is read')

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
    untilRead,
    web: await web,
    /** Once more, after `web` has ended. */
    startWeb,
    /** Installs the app as the demo shop does, where the way there is not what is tried. */
    install: async () => {
      await installApp(webUrl, simulatorUrl, domain)
      await untilRead()
    },
    /** A tab on an address of the simulator, or of the app in the shop admin when it begins with a slash. */
    open: async (address: string): Promise<Tab> => {
      // without motion: nothing is looked at while it fades in
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
      page.setDefaultTimeout(45_000)
      page.on('pageerror', (error) => t.fail(`a fault in the page: ${error.message}`))
      page.on('console', (message) => {
        if (/Content Security Policy/.test(message.text())) t.fail(message.text())
      })
      await page.goto(address.startsWith('/') ? adminUrl + address : address)
      return { page, app: page.frameLocator('iframe.app') }
    },
  }
}

export type Admin = Awaited<ReturnType<typeof startAdmin>>

/** Adds a supplier and leads to its page. */
export async function addSupplier({ app }: Tab, name: string, email: string): Promise<void> {
  await app.getByRole('link', { name: 'Suppliers' }).first().click()
  await app.getByRole('link', { name: 'Add a supplier' }).first().click()
  await app.getByLabel('Name').fill(name)
  await app.getByLabel('E-mail').fill(email)
  await app.getByRole('button', { name: 'Save' }).first().click()
  await app.getByRole('heading', { name, level: 1 }).waitFor()
}

/** Writes an order of the first product that the words find, from the page of its supplier, and leads to its page. */
export async function writeOrder({ app }: Tab, words: string, quantity: number, cost: string): Promise<void> {
  await app.getByRole('link', { name: 'Create order' }).first().click()
  await app.getByLabel('Add a product').fill(words)
  await app.getByRole('option').first().click()
  await app.getByLabel(/^Quantity of/).fill(String(quantity))
  await app.getByLabel(/^Cost of/).fill(cost)
  await app.getByRole('button', { name: 'Save draft' }).click()
  await app.getByRole('heading', { name: /^PO-/, level: 1 }).waitFor()
}
