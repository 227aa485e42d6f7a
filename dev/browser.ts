import { existsSync } from 'node:fs'
import sparticuz from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

/** Where machines keep a browser that we can drive. */
const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const quiet = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * A real browser, the machine's own or else one that npm brought. Of the latter's own arguments none is taken: they switch
 * off what is tried here, and make it end with its first page.
 */
export async function launchBrowser(): Promise<Browser> {
  const installed = places.find((place) => existsSync(place))
  const executablePath = installed ?? (await sparticuz.executablePath())
  return chromium.launch({ executablePath, args: quiet })
}
