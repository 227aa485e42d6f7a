import t from 'tap'
import type { ReorderRule } from '../../shared/schemas/reorder-rules.ts'
import { expectSoon, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'

type Product = { title: string; variants: { variantId: string; sku: string; currentStock: number }[] }

t.test('rules are changed in their rows, deleted, and imported', async (t) => {
  const { install, get, send, open } = await startAdmin(t)
  await install()
  const products = (await get<Product[]>('/products')).map(({ title, variants: [variant] }) => ({
    title,
    variantId: variant?.variantId ?? '',
    sku: variant?.sku ?? '',
  }))
  const [first, second, third] = products
  if (!first || !second || !third) throw new Error('The shop has too few products')
  const rules = () => get<ReorderRule[]>('/reorder/rules')
  const ruleOf = async ({ variantId }: { variantId: string }) =>
    (await rules()).find((rule) => rule.variantId === variantId)
  await send('POST', '/suppliers', { name: 'Northgate' })
  await send('POST', '/suppliers', { name: 'Southgate' })
  for (const [{ variantId }, supplierId] of [
    [first, 1],
    [second, 2],
  ] as const)
    await send('POST', '/reorder/rules', { variantId, reorderPoint: 4, reorderQuantity: 24, supplierId })
  const { page, app } = await open('/reorder/rules')
  const button = (name: string) => app.getByRole('button', { name, exact: true })

  await t.test('a saved number can be undone', async (t) => {
    const point = app.getByLabel(`Reorder point of ${first.title}`)
    const stored = async () => (await ruleOf(first))?.reorderPoint
    await point.fill('9')
    await point.press('Enter')
    await app.getByText(`Reorder point of ${first.title} saved`).waitFor()
    t.equal(await stored(), 9)
    await app.getByRole('button', { name: 'Undo' }).click()
    await until(async () => (await stored()) === 4, 'the rule is as before')
    await point.fill('4.5')
    await point.press('Tab')
    await app.getByText('Enter a whole number.').waitFor()
    t.equal(await stored(), 4, 'a fraction is not saved')
    await point.press('Escape')
    const unnamed = app.getByRole('columnheader', { name: /^$/ })
    await expectSoon(t, () => unnamed.count(), 0, 'each column has a name')
  })

  await t.test('a number is saved by Enter, reset by Escape, and restored when refused', async (t) => {
    const field = app.getByLabel(`Quantity of ${first.title}`)
    await field.fill('30')
    await field.press('Enter')
    await until(async () => (await ruleOf(first))?.reorderQuantity === 30, 'the number is saved')
    await field.fill('99')
    await field.press('Escape')
    await expectSoon(t, () => field.inputValue(), '30')
    await field.fill('0')
    await field.press('Enter')
    await app.getByText('Must be a whole number from 1 to 1 000 000 000.').waitFor()
    await until(async () => (await field.inputValue()) === '30', 'the number is restored')
    t.equal((await ruleOf(first))?.reorderQuantity, 30)
    await field.fill('31')
    await app.getByLabel(`Reorder point of ${first.title}`).focus()
    await until(async () => (await ruleOf(first))?.reorderQuantity === 31, 'leaving the field saves, too')
    await app.getByText('Must be a whole number').waitFor({ state: 'detached' })
  })

  await t.test('a change is shown before the response of the API, and reverted when refused', async (t) => {
    const response = Promise.withResolvers<void>()
    await page.route('**/api/reorder/rules/*', async (route) => {
      await response.promise
      const error = { code: 'conflict', message: 'This rule stays.', requestId: 'abcdefgh' }
      await route.fulfill({ status: 409, json: { success: false, error } })
    })
    const field = app.getByLabel(`Quantity of ${first.title}`)
    await field.fill('44')
    await field.press('Enter')
    await field.blur()
    await until(async () => (await field.inputValue()) === '44', 'the change is shown')
    response.resolve()
    await app.getByRole('alert').getByText('This rule stays.').waitFor()
    await until(async () => (await field.inputValue()) === '31', 'the change is reverted')
    await page.unroute('**/api/reorder/rules/*')
    t.equal((await ruleOf(first))?.reorderQuantity, 31)
  })

  await t.test('an automatic rule shows how it is computed', async (t) => {
    await app.getByRole('combobox', { name: `Mode of ${first.title}` }).click()
    await app.getByRole('option', { name: 'Automatic' }).click()
    await button(`How this is calculated ${first.title}`).click()
    await app.getByText('assumed: the supplier has no lead time').waitFor()
    const level = app.getByLabel(`Service level of ${first.title}`)
    await app.getByPlaceholder(/^By class \(.+: 9\d %\)$/).waitFor()
    await level.fill('99')
    await level.press('Enter')
    await until(
      async () => (await ruleOf(first))?.inputs?.serviceLevel === 99,
      'the rule is computed with the new level',
    )
    t.match(await ruleOf(first), { mode: 'auto', reviewDays: 7, serviceLevel: 99 })
    await level.fill('')
    await level.press('Enter')
    await until(async () => (await ruleOf(first))?.serviceLevel === null, 'empty is by class again')
  })

  await t.test('a rule is deleted after a confirmation', async () => {
    await button(`Delete the rule of ${first.title}`).click()
    await app.getByRole('dialog').getByText('no longer be suggested').waitFor()
    await app.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await until(async () => (await ruleOf(first)) === undefined, 'the rule is deleted')
    await app.getByRole('combobox', { name: `Mode of ${first.title}` }).waitFor({ state: 'detached' })
  })

  await t.test('errors of an import file are explained, and none of it is saved', async (t) => {
    const before = await rules()
    await app.getByRole('link', { name: 'Import' }).click()
    const rows = `sku;reorderPoint;reorderQuantity;supplier\n${third.sku};3;12;Southgate\nNO-SUCH;1;1;\n${second.sku};0;0;`
    await app.locator('input[type=file]').setInputFiles({
      name: 'rules.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(rows),
    })
    const errorRow = (text: string) => app.getByRole('row').filter({ hasText: text })
    await errorRow('Unknown SKU "NO-SUCH"').getByText('Row 3').waitFor()
    await errorRow('Must be a whole number from 1 to').getByText('reorderQuantity').waitFor()
    await expectSoon(t, () => button('Import').count(), 0)
    t.strictSame(await rules(), before)

    await app.getByLabel('Rows of the file').fill(rows.replace('NO-SUCH;1;1;\n', '').replace('0;0', '0;9'))
    await expectSoon(
      t,
      () => app.getByText('Unknown SKU').count(),
      0,
      'errors of the earlier rows are removed',
    )
    await button('Check').click()
    await app.getByText('2 rows: 1 rule to be created, 1 rule to be changed.').waitFor()
    t.strictSame(await rules(), before, 'checking a file changes nothing')
    await button('Import').click()
    await app.getByText('1 rule created, 1 rule changed.').waitFor()
    await app.getByLabel(`Quantity of ${third.title}`).waitFor()
    t.match(await ruleOf(third), { reorderPoint: 3, reorderQuantity: 12, supplierName: 'Southgate' })
    t.match(await ruleOf(second), { reorderPoint: 0, reorderQuantity: 9 })
  })
})
