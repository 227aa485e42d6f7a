import type { Locator } from 'playwright-core'

/**
 * Replaces the text of a field by the clipboard, as a merchant does with a long text. After Playwright's `fill`, the browser inserts one
 * line at a time and lays out the page after each, which takes 12 s for 2 000 lines.
 */
export async function paste(field: Locator, text: string): Promise<void> {
  const page = field.page()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await field.selectText()
  await page.keyboard.press('ControlOrMeta+V')
}
