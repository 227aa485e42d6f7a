import type { Browser } from 'playwright-core'
import t from 'tap'
import { launchBrowser } from '../../dev/browser.ts'
import { adminPages } from '../../dev/demo/admin-pages.ts'
import { withDemoSystem } from '../../dev/demo/demo-system.ts'
import { expectSoon } from '../support/core/admin.ts'
import { fillLists } from '../support/web/full-lists.ts'
import { findMisfits } from '../support/web/misfits.ts'
import { startTour } from '../support/web/page-tour.ts'

/** Of the window: the shop admin's own navigation takes 240 px of it from 768 px on. */
const widths = [360, 780, 800, 900, 1024, 1040, 1100, 1200, 1280, 1390]
const desktop = { width: 1280, height: 700 }
const sizes = [desktop, { width: 1536, height: 730 }, { width: 360, height: 780 }]
const maxShift = 0.05
const maxFirstLoad = 200_000

t.test('every page of the demo shop', { timeout: 600_000 }, async (t) => {
  // on a busy machine web waits for longer than the default, and would refuse requests
  process.env.MAX_EVENT_LOOP_DELAY_MS = '600000'
  t.teardown(() => {
    delete process.env.MAX_EVENT_LOOP_DELAY_MS
  })
  await withDemoSystem(async (system) => {
    await using browser = await launchBrowser()
    const open = (viewport = desktop) => browser.newPage({ reducedMotion: 'reduce', viewport })

    await t.test('the first load of Home is small', async (t) => {
      const bytes = await measureFirstLoad(browser, system.adminUrl)
      t.ok(bytes <= maxFirstLoad, `${bytes} bytes of page, scripts and styles, compressed`)
    })

    await fillLists(system)

    for (const size of sizes) {
      const fits = size === desktop ? ', and everything fits at every width' : ''
      await t.test(`nothing moves at ${size.width} × ${size.height}${fits}`, async (t) => {
        const tour = await startTour(await open(size), system.adminUrl)
        for (const path of adminPages) {
          // a filter of the page before changes after a click
          if (path.includes('?')) await tour.show('/')
          const { sum, moved } = await tour.show(path)
          t.ok(sum <= maxShift, `${path} shifts by ${sum.toFixed(3)} ${sum > maxShift ? moved : ''}`)
          if (fits) {
            for (const width of widths) {
              await tour.resize({ width, height: 800 })
              // a chart gets its new width a moment after the window
              await expectSoon(t, () => findMisfits(tour.frame()), [], `${path} at ${width}`)
            }
            await tour.resize(size)
          }
        }
        await tour.page.close()
      })
    }
  })
})

/** The bytes that the app's page, scripts and styles take from the server in a browser with an empty cache. */
async function measureFirstLoad(browser: Browser, adminUrl: string): Promise<number> {
  const tour = await startTour(await browser.newPage(), adminUrl)
  const bytes = await tour.frame().evaluate(() => {
    const isCode = ({ initiatorType, name }: PerformanceResourceTiming) =>
      ['script', 'link', 'css', 'other'].includes(initiatorType) && name.startsWith(location.origin)
    const timings = [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ]
    return (timings as PerformanceResourceTiming[])
      .filter((timing) => timing.entryType === 'navigation' || isCode(timing))
      .reduce((sum, { transferSize }) => sum + transferSize, 0)
  })
  await tour.page.close()
  return bytes
}
