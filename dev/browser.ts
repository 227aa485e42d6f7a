import { existsSync } from 'node:fs'
import sparticuz from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

/** Where an installed browser may be. */
const browserPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const browserArguments = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // one process for all pages: starting another takes longer than loading a page
  '--disable-site-isolation-trials',
  '--renderer-process-limit=1',
]

/**
 * Launches the installed browser, or else the one from npm. The arguments that `@sparticuz/chromium` suggests are
 * not used: they switch off features under test, and its single process ends with the first page.
 */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await findBrowser(), args: browserArguments })
}

/**
 * The installed browser, or else the one from npm, which the first call of a machine unpacks. Concurrent first calls
 * would run an incomplete file.
 */
export async function findBrowser(): Promise<string> {
  return browserPaths.find((path) => existsSync(path)) ?? (await sparticuz.executablePath())
}
