import type { Browser } from 'playwright-core'
import type { Test } from 'tap'
import { launchBrowser } from '../../../dev/browser.ts'

/** Launches a browser that is closed with the test. */
export async function startBrowser(t: Test): Promise<Browser> {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  return browser
}
