import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { adminPages } from './demo/admin-pages.ts'
import { withDemoSystem } from './demo/demo-system.ts'

const widths = [1280, 1040, 800, 360]

/** Saves a screenshot of every page of the admin, at desktop and phone width, in a folder. */
async function takeScreenshots(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await withDemoSystem(async ({ adminUrl }) => {
    const browser = await launchBrowser()
    try {
      const page = await browser.newPage({ reducedMotion: 'reduce' })
      for (const width of widths) {
        await page.setViewportSize({ width, height: width < 500 ? 780 : 900 })
        for (const path of adminPages)
          await takeScreenshot(page, `${adminUrl}${path}`, nameOf(folder, path, width))
      }
    } finally {
      await browser.close()
    }
  })
}

async function takeScreenshot(page: Page, url: string, file: string): Promise<void> {
  await page.goto(url)
  const app = page.frameLocator('iframe.app')
  await app.getByRole('heading', { level: 1 }).waitFor()
  await untilIdle(page)
  await app.locator('[aria-busy="true"], .mantine-Skeleton-root').first().waitFor({ state: 'detached' })
  await page.frames()[1]?.evaluate(untilPainted)
  await page.screenshot({ path: file })
  console.log(file)
}

/** The browser paints a frame separately; on a slow machine well after its document has changed. */
const untilPainted = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

/** A page that polls may never be idle, so the wait ends after 5 s. */
const untilIdle = (page: Page) =>
  page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined)

/** `/purchase-orders/1/edit` is `purchase-orders-1-edit-360.png`. */
const nameOf = (folder: string, path: string, width: number) =>
  join(folder, `${path.slice(1).replaceAll(/\W+/g, '-') || 'home'}-${width}.png`)

if (import.meta.main) await takeScreenshots(resolve(process.argv[2] ?? 'screenshots'))
