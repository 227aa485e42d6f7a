import type { Frame, Page } from 'playwright-core'
import type { Tab } from '../core/admin.ts'
import { deadline } from '../core/machine.ts'

/** A tab with the app, in which a test goes from page to page without loading the app anew. */
export type Tour = {
  page: Page
  frame: () => Frame
  /** Shows a page of the app completely. Returns how much its layout has shifted, and what has moved. */
  show: (path: string) => Promise<Shift>
  resize: (size: { width: number; height: number }) => Promise<void>
}

export type Shift = { sum: number; moved: string[] }

/** The navigation of the shop admin beside the frame. */
const sideWidth = 240
const sideFrom = 768

/** Opens the app at its home page. */
export async function startTour(page: Page, adminUrl: string): Promise<Tour> {
  page.setDefaultTimeout(deadline(45_000))
  const requests = new Set<unknown>()
  page.on('request', (request) => {
    if (request.url().includes('/api/')) requests.add(request)
  })
  page.on('requestfinished', (request) => void requests.delete(request))
  page.on('requestfailed', (request) => void requests.delete(request))
  const frame = () => {
    const [, found] = page.frames()
    if (!found) throw new Error('The page has no frame')
    return found
  }
  /** Until nothing is loaded and drawn any more; a page that polls is idle in between. */
  const settle = async (path: string) => {
    for (let quiet = 0; quiet < 2; ) {
      const isDrawn = await frame().evaluate(isSettled, path)
      quiet = isDrawn && requests.size === 0 ? quiet + 1 : 0
    }
  }
  await page.goto(adminUrl)
  await page.frameLocator('iframe.app').getByRole('heading', { level: 1 }).waitFor()
  await settle('/')
  await frame().evaluate(observeShifts)
  return {
    page,
    frame,
    show: async (path) => {
      await frame().evaluate('window.takeShift()')
      await frame().evaluate(navigate, path)
      await settle(path)
      return frame().evaluate<Shift>('window.takeShift()')
    },
    resize: async (size) => {
      await page.setViewportSize(size)
      const width = size.width < sideFrom ? size.width : size.width - sideWidth
      await frame().waitForFunction((it) => innerWidth === it, width)
      await frame().evaluate(untilDrawn)
    },
  }
}

/** Shows a page of the app with its title, without loading the app anew. A record that was read in the last five seconds is not read again. */
export async function visit({ page, app }: Tab, path: string, title?: string | RegExp): Promise<void> {
  // before its first page, the app does not follow links yet
  await app.getByRole('heading', { level: 1 }).first().waitFor()
  await page.frames()[1]?.evaluate(navigate, path)
  if (title) await app.getByRole('heading', { name: title, level: 1, exact: true }).waitFor()
}

/** Runs in the browser: tells the app that the merchant has chosen a link of the shop admin. */
function navigate(path: string): void {
  const link = document.createElement('s-link')
  link.setAttribute('href', path)
  document.body.append(link)
  link.dispatchEvent(new CustomEvent('platform:navigate', { bubbles: true, cancelable: true }))
  link.remove()
}

const untilDrawn = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

/** Runs in the browser. */
async function isSettled(path: string): Promise<boolean> {
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 40)))
  const isThere = location.pathname === path.replace(/\?.*/, '')
  const waiting = document.querySelector('[aria-busy="true"], .mantine-Skeleton-root')
  return isThere && !waiting && document.querySelector('h1') !== null
}

/** Runs in the browser. `takeShift` returns the shifts since its last call. */
function observeShifts(): void {
  type Source = { node?: Node; previousRect: DOMRect; currentRect: DOMRect }
  type Entry = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: Source[] }
  let shift = { sum: 0, moved: [] as string[] }
  const describe = ({ node, previousRect, currentRect }: Source) => {
    const name = node instanceof Element ? `${node.localName}.${node.className}` : (node?.nodeValue ?? '')
    return `${name} ${Math.round(previousRect.top)} → ${Math.round(currentRect.top)}`
  }
  const add = (entries: PerformanceEntryList) => {
    for (const { value, hadRecentInput, sources } of entries as Entry[]) {
      if (hadRecentInput) continue
      shift.sum += value
      shift.moved.push(...sources.map(describe))
    }
  }
  const observer = new PerformanceObserver((list) => add(list.getEntries()))
  observer.observe({ type: 'layout-shift', buffered: true })
  Object.assign(window, {
    takeShift: () => {
      add(observer.takeRecords())
      const taken = shift
      shift = { sum: 0, moved: [] }
      return taken
    },
  })
}
