import type { Browser, Page } from 'playwright-core'
import type { Test } from 'tap'
import { launchBrowser } from '../../../dev/browser.ts'
import { processEnd } from '../core/shared.ts'

/** Reduced motion, so that no assertion runs during a transition. */
const options = { viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' } as const

let shared: Promise<Browser> | undefined

/** The browser that the test files of this process share. */
function lendBrowser(): Promise<Browser> {
  if (!shared) {
    shared = launchBrowser()
    processEnd.teardown(async () => (await shared)?.close())
  }
  return shared
}

/**
 * Opens pages without stored data of the origin until the test ends. One page at a time is in a context that stays, which keeps the
 * process of the page and the compiled scripts; while it is open, each further page has a new context, as on
 * another device.
 */
export async function openBrowser(t: Test, origin: string): Promise<() => Promise<Page>> {
  const browser = await lendBrowser()
  const context = await browser.newContext(options)
  t.teardown(() => context.close())
  const blank = await context.newPage()
  const devTools = await context.newCDPSession(blank)
  let isTaken = false
  const openInContext = async () => {
    isTaken = true
    await devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'cookies,local_storage' })
    await context.setOffline(false)
    const page = await context.newPage()
    page.on('close', () => {
      isTaken = false
    })
    return page
  }
  const openAlone = async () => {
    const page = await browser.newPage(options)
    t.teardown(() => page.close())
    return page
  }
  return () => (isTaken ? openAlone() : openInContext())
}
