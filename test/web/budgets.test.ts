import t from 'tap'
import { sql } from '../../shared/db/db.ts'
import { domain, expectSoon, startAdmin } from '../support/core/admin.ts'
import { setForecast } from '../support/make/replenishment.ts'
import { visit } from '../support/web/page-tour.ts'

type Product = { title: string; variants: { variantId: string }[] }
type Budget = { id: number; name: string; amount: number; version: number }

t.test('a buyer spends a budget', async (t) => {
  const { db, install, get, send, open, adminUrl } = await startAdmin(t)
  await install()
  const shopId = await db.oneFirst(sql.typeAlias('id')`select id from shop where domain = ${domain}`)
  const products = (await get<Product[]>('/products')).slice(0, 2)
  const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', { name: 'Northgate' })
  for (const [at, { variants }] of products.entries()) {
    const variantId = variants[0]?.variantId ?? ''
    await send('POST', `/suppliers/${supplierId}/products`, {
      ...{ variantId, supplierSku: `N-${at}`, packSize: 10, prices: [{ price: 2 }] },
    })
    await setForecast(db, { shopId }, BigInt(variantId.split('/').at(-1) ?? ''), {
      units: new Array(26).fill(700),
    })
  }
  const tab = await open('/replenishment?days=60')
  const { page, app } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  const fitsPhone = async (name: string) => {
    await page.setViewportSize({ width: 360, height: 740 })
    const width = () => page.frames()[1]?.evaluate('document.documentElement.scrollWidth')
    await expectSoon(t, async () => Number(await width()) <= 360, true, `${name} fits a phone`)
    await page.setViewportSize({ width: 1280, height: 900 })
  }
  const budgets = () => get<Budget[]>('/buying-budgets')

  await t.test('a budget is added, and a fault is named', async (t) => {
    await app.getByRole('link', { name: 'Budgets', exact: true }).click()
    await app.getByText('No budgets yet').waitFor()
    await button('Create a budget').first().click()
    await button('Save budget').click()
    await app.getByText('Enter what may be spent.').waitFor()
    await app.getByLabel('Name').fill('This month')
    await app.getByLabel(/^Amount in/).fill('20000')
    await button('Save budget').click()
    await app.getByRole('table', { name: 'Budgets' }).getByText('This month').waitFor()
    t.match(await budgets(), [{ name: 'This month', amount: 20000 }])
  })

  await t.test('a change of another user is shown, and overwritten or taken', async (t) => {
    const [{ id = 0 } = {}] = await budgets()
    const edit = async (amount: string) => {
      await button('Edit This month').click()
      await send('PUT', `/buying-budgets/${id}`, { amount: Number(amount) + 1 })
      await app.getByLabel(/^Amount in/).fill(amount)
      await button('Save budget').click()
      await app.getByText('This budget was changed since you opened it').waitFor()
    }
    await edit('12000')
    await app.getByText(/Amount: .*12,001\.00/).waitFor()
    // the error of an overwrite is beside the differences
    const path = `**/api/buying-budgets/${id}`
    await page.route(path, (route) => (route.request().method() === 'PUT' ? route.abort() : route.fallback()))
    await button('Overwrite with mine').click()
    await app.getByText('There is no connection to Quartermaster').waitFor()
    await app.getByText(/Amount: .*12,001\.00/).waitFor()
    await page.unroute(path)
    await button('Overwrite with mine').click()
    await app.getByRole('dialog').waitFor({ state: 'detached' })
    t.match(await budgets(), [{ amount: 12000 }])
    await edit('13000')
    await button('Use theirs').click()
    await expectSoon(t, () => app.getByLabel(/^Amount in/).inputValue(), '13001.00')
    await button('Cancel').click()
    await send('PUT', `/buying-budgets/${id}`, { amount: 20000 })
  })

  await t.test('suggestions within the budget are chosen, the others are over it', async (t) => {
    const [{ id = 0 } = {}] = await budgets()
    await page.goto(`${adminUrl}/replenishment?days=60&budgetId=${id}`)
    await app
      .getByText(/This month, .*\. Budget .*20,000\.00: .*0\.00 spent, .* in drafts\. The products with/)
      .waitFor()
    const paid = app.getByRole('table', { name: 'Within the budget' }).locator('tbody tr')
    await expectSoon(t, () => paid.count(), 2)
    // 700 a week for 74 days at 2 cost below 14 800 each, so the second one gets what is left, in packs
    await app.getByText(/The budget pays [\d,]+ of [\d,]+\./).waitFor()
    await app.getByText(/2 products chosen, .* with tax of .*20,000\.00, .* left/).waitFor()
    await fitsPhone('the budget')
    await button('Create draft orders').click()
    await app.getByRole('region', { name: '1 draft order created' }).waitFor()
    await app.getByText('It is in a draft already, which counts as spent.').first().waitFor()
  })

  await t.test('a new budget begins with the month of the shop', async (t) => {
    await send('PUT', '/settings', { timeZone: 'Pacific/Kiritimati' })
    const other = await open('/buying-budgets')
    await other.page.clock.setFixedTime('2026-11-30T22:00:00Z')
    await other.app.getByRole('button', { name: 'Create a budget' }).first().click()
    const month = other.app.getByRole('combobox', { name: 'Month' })
    await expectSoon(t, () => month.inputValue(), 'Dec 2026')
    await month.click()
    await other.app.getByRole('option', { name: 'Dec 2027' }).waitFor()
    await other.page.close()
  })

  await t.test('a budget is deleted', async (t) => {
    await visit(tab, '/buying-budgets')
    await button('Delete This month').click()
    await button('Delete the budget').click()
    await app.getByText('No budgets yet').waitFor()
    t.strictSame(await budgets(), [])
  })
})
