import type { Locator } from 'playwright-core'
import type { Test } from 'tap'
import { enterText, type Tab } from '../core/admin.ts'

/** Clicks and types as a merchant, and counts both; a paste is one key, a choice of a file is one click. */
export function merchantAt({ page, app }: Tab) {
  const spent = { clicks: 0, keys: 0 }
  const of = (role: Parameters<typeof app.getByRole>[0]) => (name: string | RegExp) =>
    app.getByRole(role, typeof name === 'string' ? { name, exact: true } : { name }).first()
  return {
    link: of('link'),
    /** A page in the navigation of the shop admin. */
    hostLink: (name: string) =>
      page.getByRole('navigation', { name: 'Quartermaster' }).getByRole('link', { name, exact: true }),
    button: of('button'),
    field: (label: string | RegExp) =>
      app.getByLabel(label, typeof label === 'string' ? { exact: true } : {}).first(),
    option: of('option'),
    combobox: of('combobox'),
    click: async (...targets: Locator[]) => {
      for (const target of targets) {
        spent.clicks += 1
        await target.click()
      }
    },
    chooseFile: async (content: string) => {
      spent.clicks += 1
      const file = { name: 'rules.csv', mimeType: 'text/csv', buffer: Buffer.from(content) }
      await app.locator('input[type=file]').setInputFiles(file)
    },
    type: async (...texts: string[]) => {
      for (const [at, text] of texts.entries()) {
        if (at > 0) await page.keyboard.press('Tab')
        await enterText(page, text)
        spent.keys += text.length + (at > 0 ? 1 : 0)
      }
    },
    press: async (...keys: string[]) => {
      for (const key of keys) {
        spent.keys += 1
        await page.keyboard.press(key)
      }
    },
    paste: async (text: string) => {
      spent.keys += 1
      await page.keyboard.insertText(text)
    },
    /** Asserts what was spent since the last time. */
    spentAtMost: (t: Test, clicks: number, keys: number) => {
      t.ok(spent.clicks <= clicks, `${spent.clicks} clicks, at most ${clicks}`)
      t.ok(spent.keys <= keys, `${spent.keys} keys, at most ${keys}`)
      Object.assign(spent, { clicks: 0, keys: 0 })
    },
  }
}
