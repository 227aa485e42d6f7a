import axe from 'axe-core'
import t from 'tap'
import { addSupplier, domain, startAdmin, type Tab, writeOrder } from '../support/admin.ts'
import { adminPages } from '../support/admin-pages.ts'

type Findings = {
  violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
}

/** What a machine finds wrong with a page for people who do not see it, or see it badly. */
async function findFaults({ page }: Tab): Promise<string[]> {
  const frame = page.frames()[1]
  await frame?.evaluate(axe.source)
  const found: unknown = await frame?.evaluate('axe.run({ resultTypes: ["violations"] })')
  const { violations } = found as Findings
  return violations.flatMap(({ id, impact, nodes }) =>
    ['serious', 'critical'].includes(impact)
      ? nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`)
      : [],
  )
}

t.test('every page can be used by everybody, on a desk and on a phone', { timeout: 300_000 }, async (t) => {
  const { platform, webUrl, install, get, open } = await startAdmin(t)
  await install()
  const first = await open('/suppliers')
  await first.app.getByText('No suppliers yet').waitFor()
  t.strictSame(await findFaults(first), [], 'an empty list')
  await addSupplier(first, 'Northgate', 'orders@northgate.example.com')
  const [product] = await get<{ title: string }[]>('/products')
  await writeOrder(first, product?.title ?? '', 10, '2.50')
  await first.app.getByRole('button', { name: 'Send' }).click()
  await first.app.getByRole('dialog').getByText('orders@northgate.example.com').waitFor()
  t.strictSame(await findFaults(first), [], 'a dialog')
  await first.app.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
  await first.app.getByText('E-mailed').waitFor()

  await t.test('the keyboard reaches a menu, and the focus comes back after a dialog', async (t) => {
    const { page, app } = first
    const more = app.getByRole('button', { name: 'More' })
    await more.press('Enter')
    await app.getByRole('menuitem', { name: 'Cancel the order' }).press('Enter')
    await app.getByRole('dialog').getByText('cannot be called back').waitFor()
    await page.keyboard.press('Escape')
    await more.and(app.locator(':focus')).waitFor()
    t.pass('it is back')
  })

  // what runs low: a rule that is computed, and one that is not
  const headers = {
    authorization: `Bearer ${await platform.mintSessionToken(domain, 60)}`,
    'content-type': 'application/json',
  }
  const variantIds = (await get<{ variants: { variantId: string }[] }[]>('/products')).map(
    ({ variants: [variant] }) => variant?.variantId,
  )
  for (const rule of [
    { variantId: variantIds[0], mode: 'auto' },
    { variantId: variantIds[1], reorderPoint: 1_000_000, reorderQuantity: 1 },
    { variantId: variantIds[2], reorderPoint: 1_000_000, reorderQuantity: 1, supplierId: 1 },
  ]) {
    await fetch(`${webUrl}/api/reorder/rules`, { method: 'POST', headers, body: JSON.stringify(rule) })
  }

  const tab = await open('/suppliers')
  for (const path of adminPages) {
    for (const width of [1280, 360]) {
      await tab.page.setViewportSize({ width, height: 800 })
      await tab.page.goto(tab.page.url().replace(/(\/apps\/[^/]+).*/, `$1${path}`))
      await tab.app.getByRole('heading', { level: 1 }).waitFor()
      await tab.app.locator('[aria-busy="true"]').waitFor({ state: 'detached' })
      // what opens below a row is part of the page, too
      for (const toggle of await tab.app.locator('td button[aria-expanded]').all()) {
        await toggle.click()
      }
      t.strictSame(await findFaults(tab), [], `${path} at ${width}`)
      const scroll: unknown = await tab.page.frames()[1]?.evaluate('document.documentElement.scrollWidth')
      t.ok(Number(scroll) <= width, `${path} does not scroll sideways at ${width}`)
    }
  }
})
