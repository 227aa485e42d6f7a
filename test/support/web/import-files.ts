import type { FrameLocator } from 'playwright-core'

/** Adds a file on the page *Move in*, which opens the page of its import. */
export async function addFile(
  app: FrameLocator,
  name: string,
  content: string | Uint8Array,
  mimeType = 'text/csv',
): Promise<void> {
  await app.locator('input[type=file]').setInputFiles([{ name, mimeType, buffer: Buffer.from(content) }])
  await app.getByRole('heading', { name, level: 1 }).waitFor()
}

/** The elements that make the page scroll sideways on a phone. */
export async function tooWideOnPhone(app: FrameLocator): Promise<string[]> {
  const page = app.owner().page()
  const size = page.viewportSize()
  await page.setViewportSize({ width: 360, height: 900 })
  const found = await app
    .locator('html')
    .evaluate(({ scrollWidth }) =>
      scrollWidth <= innerWidth
        ? []
        : [...document.querySelectorAll('body *')]
            .filter((each) => each.getBoundingClientRect().right > innerWidth)
            .map((each) => `${each.tagName} ${each.className} ${each.textContent?.slice(0, 40)}`),
    )
  if (size) await page.setViewportSize(size)
  return found
}
