import type { Locator } from 'playwright-core'
import type { Tab } from '../core/admin.ts'

/** The cells of a table, with numbers without their units. */
export async function readRows({ app }: Tab, name: string): Promise<(string | number)[][]> {
  const rows = app.getByRole('table', { name, exact: true }).locator('tbody tr')
  await rows.first().waitFor()
  await app.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  return (await rows.allInnerTexts()).map((row) => row.split('\t').map(read))
}

/** `US$1,200.00`, `36%` and `4.5 days` are 1200, 36 and 4.5. */
const read = (cell: string) => {
  const text = cell.trim().replace(/\n+/g, ' ')
  return /^-?\D{0,3}[\d,.]+(%| days?)?$/.test(text) ? Number(text.replace(/[^\d.-]/g, '')) : text
}

export const chartOf = ({ app }: Tab, title: string): Locator =>
  app.locator('section', { hasText: title }).locator('[role="img"]')
export const barsOf = (tab: Tab, title: string) => chartOf(tab, title).locator('.recharts-bar-rectangle path')

export const percent = (part: number | null) => (part === null ? '—' : Math.round(part * 10) / 10)
