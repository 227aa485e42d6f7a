import type { Browser } from 'playwright-core'
import t from 'tap'
import { launchBrowser } from '../../dev/browser.ts'
import { adminPages } from '../../dev/demo/admin-pages.ts'
import { withDemoSystem } from '../../dev/demo/demo-system.ts'
import { expectSoon } from '../support/core/admin.ts'
import { createTurns } from '../support/core/turns.ts'
import { isFull } from '../support/faults/faults.ts'
import { startTour } from '../support/web/page-tour.ts'
import { fillLists } from './full-lists.ts'
import { findMisfits } from './misfits.ts'

/** Of the window: the shop admin's own navigation takes 240 px of it from 768 px on. */
const widthsInTurn = [780, 800, 900, 1024, 1040, 1100, 1200, 1390, 1536]
const desktop = { width: 1280, height: 700 }
const phone = { width: 360, height: 780 }
const sizes = isFull ? [desktop, { width: 1536, height: 730 }, phone] : [desktop, phone]
const maxShift = 0.05
const maxFirstLoad = 185_000
const maxFirstFiles = 6

t.test('every page of the demo shop', async (t) => {
  // on a busy machine web waits for longer than the default, and would refuse requests
  process.env.MAX_EVENT_LOOP_DELAY_MS = '600000'
  t.teardown(() => {
    delete process.env.MAX_EVENT_LOOP_DELAY_MS
  })
  await withDemoSystem(async (system) => {
    await using browser = await launchBrowser()
    const open = (viewport = desktop) => browser.newPage({ reducedMotion: 'reduce', viewport })

    await t.test('the first load of Home is small', async (t) => {
      const sizes = await measureFirstLoad(browser, system.adminUrl)
      const bytes = sizes.reduce((sum, size) => sum + size, 0)
      t.ok(bytes <= maxFirstLoad, `${bytes} bytes of page, scripts and styles, compressed`)
      t.ok(sizes.length <= maxFirstFiles, `${sizes.length} files`)
    })

    await fillLists(system)

    for (const size of sizes) {
      await t.test(`nothing moves at ${size.width} × ${size.height}, and everything fits`, async (t) => {
        const tour = await startTour(await open(size), system.adminUrl)
        const turns = createTurns()
        const isFitting = async (path: string, width: number) =>
          // a chart gets its new width a moment after the window
          expectSoon(t, () => findMisfits(tour.frame()), [], `${path} at ${width}`)
        for (const path of adminPages) {
          // a filter of the page before changes after a click
          if (path.includes('?')) await tour.show('/')
          const { sum, moved } = await tour.show(path)
          t.ok(sum <= maxShift, `${path} shifts by ${sum.toFixed(3)} ${sum > maxShift ? moved : ''}`)
          await isFitting(path, size.width)
          if (size !== desktop) continue
          for (const width of turns(widthsInTurn)) {
            await tour.resize({ width, height: 800 })
            await isFitting(path, width)
          }
          await tour.resize(size)
        }
        await tour.page.close()
      })
    }
  })
})

/** The bytes of each of the app's page, scripts and styles, from the server to a browser with an empty cache. */
async function measureFirstLoad(browser: Browser, adminUrl: string): Promise<number[]> {
  const tour = await startTour(await browser.newPage(), adminUrl)
  const sizes = await tour.frame().evaluate(() => {
    const isCode = ({ initiatorType, name }: PerformanceResourceTiming) =>
      ['script', 'link', 'css', 'other'].includes(initiatorType) && name.startsWith(location.origin)
    const timings = [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ]
    return (timings as PerformanceResourceTiming[])
      .filter((timing) => timing.entryType === 'navigation' || isCode(timing))
      .map(({ transferSize }) => transferSize)
  })
  await tour.page.close()
  return sizes
}
