import { zipSync } from 'fflate'
import t from 'tap'
import { expectSoon, goTo, startAdmin } from '../support/core/admin.ts'
import { addFile, tooWideOnPhone } from '../support/web/import-files.ts'

type Product = { variants: { sku: string }[] }

t.test('the lists of an earlier app say what they leave open', async (t) => {
  const { install, get, send, open } = await startAdmin(t)
  await install()
  await send('POST', '/suppliers', { name: 'Acme' })
  const [first, second] = (await get<Product[]>('/products')).map(
    ({ variants: [variant] }) => variant?.sku ?? '',
  )
  const { app } = await open('/imports')
  const leave = () => app.getByRole('link', { name: 'Back to Move in' }).click()
  const press = (name: string) => app.getByRole('button', { name, exact: true }).click()

  await t.test('adjustments of the earlier app have a page of their own', async (t) => {
    const adjustments = `Adjusted at,SKU,Quantity,Quantity before,Quantity after,Reason\n2025-11-03,${first},-1,10,9,Damaged`
    await addFile(app, 'adjustments.csv', adjustments)
    await press('Import')
    await app.getByRole('link', { name: 'View past adjustments' }).click()
    await app.getByRole('heading', { name: 'Past adjustments', level: 1 }).waitFor()
    await app.getByText('Damaged').waitFor()
    await expectSoon(t, () => tooWideOnPhone(app), [])
    await goTo(app, 'Settings')
    await app.getByRole('link', { name: 'Move in' }).click()
    await app.getByRole('link', { name: 'adjustments.csv' }).click()
  })

  const withCost = /^1 order \(1 open\), 1 (new average cost|average cost changes), 2 rows valid\.$/

  await t.test('the preview of costs says what changes, and has no options of orders', async (t) => {
    for (const [cost, line] of [
      ['4', /^(1 new average cost|1 average cost changes), 1 row valid\.$/],
      ['5', '1 average cost changes, 1 row valid.'],
    ] as const) {
      await leave()
      const costs = `SKU,Average cost\n${first},${cost}`
      await addFile(app, `costs ${cost}.csv`, costs)
      await app.getByText(line).waitFor()
      await expectSoon(t, () => app.getByRole('heading', { name: 'Import options' }).count(), 0)
      if (cost === '5')
        await app.getByText(/^The average cost is 5\.00 \w+ instead of 4\.00 \w+\.$/).waitFor()
      await press('Import')
      await app.getByText('Imported', { exact: true }).waitFor()
    }
  })

  await t.test('a list of stock levels is sent to the import of stock', async () => {
    await leave()
    const levels = `SKU,Location,Quantity\n${first},Main,4`
    await addFile(app, 'levels.csv', levels)
    await app.getByText('What does this list contain?').waitFor()
    await app.getByRole('link', { name: 'Import them in Stock' }).click()
    await app.getByRole('heading', { name: 'Import stock', level: 1 }).waitFor()
    const platform = `Handle,Title,SKU,Location,On hand (current),On hand (new)\nmug,Mug,${first},Main,1,2`
    await app.getByRole('textbox', { name: 'Rows' }).fill(platform)
    await app.getByRole('radio', { name: 'Set on hand', checked: true }).waitFor({ state: 'attached' })
    await app.getByRole('textbox', { name: 'Rows' }).fill('')
    await goTo(app, 'Settings')
    await app.getByRole('link', { name: 'Move in' }).click()
    await app.getByRole('link', { name: 'levels.csv' }).click()
  })

  await t.test('what the file leaves open is asked for, and an unread file of a ZIP is listed', async (t) => {
    await leave()
    const content = `PO Number,Supplier,Order date,SKU,Quantity,Cost\nO-1,Acme,03/04/2024,${first},3,"2,345"`
    const costs = JSON.stringify([{ sku: second, average_cost: '12.345' }])
    const bytes = zipSync({
      'open.csv': Buffer.from(content),
      'costs.json': Buffer.from(costs),
      'old.xls': Buffer.from('x'),
    })
    await addFile(app, 'open.zip', bytes, 'application/zip')
    await app.getByText('The app does not read this format of Excel. Save it as .xlsx or CSV.').waitFor()
    await app.getByText('Decimal point or comma?').waitFor()
    await app
      .getByText('Your choice does not change lists that can be read in only one way.')
      .first()
      .waitFor()
    await app.getByText('Not checked', { exact: true }).waitFor()
    await expectSoon(t, () => app.getByRole('button', { name: 'Import', exact: true }).count(), 0, 'it asks')
    for (const [name, choice, question] of [
      ['Numbers', '1,234.50', 'Decimal point or comma?'],
      ['Dates', 'Month first: 12/31/2024', 'Day or month first?'],
    ] as const) {
      const field = app.getByRole('combobox', { name })
      await expectSoon(t, () => field.inputValue(), '', `${name} has no preset answer`)
      await field.click()
      await app.getByRole('option', { name: choice }).click()
      await app.getByText(question).waitFor({ state: 'detached' })
      await expectSoon(t, () => field.inputValue(), choice)
    }
    await app.getByText(withCost).waitFor()
    const currency = app.getByRole('textbox', { name: 'Currency' })
    await currency.fill('eur')
    await currency.blur()
    await expectSoon(t, () => tooWideOnPhone(app), [])
    const [newest] = await get<{ id: number }[]>('/imports')
    const defaults = async () => (await get<{ defaults: object }>(`/imports/${newest?.id}`)).defaults
    await expectSoon(t, defaults, { currency: 'EUR', dayOrder: 'mdy', decimalSign: '.' })
    await app.getByText(withCost).waitFor()
    await app.getByRole('combobox', { name: 'What SKU becomes', exact: true }).click()
    await app.getByRole('option', { name: 'Barcode', exact: true }).click()
    await app.getByText('2 rows valid').waitFor({ state: 'detached' })
    await app.getByText(`No product has the barcode ${first}.`).waitFor()
  })

  await t.test('a file without a valid row cannot be imported until it is mended', async (t) => {
    await leave()
    await addFile(app, 'costs.csv', `SKU,Average cost,Worth\n${first},unknown,2.50\n${second},unknown,3`)
    await app.getByText('Nothing to import: fix the rows or the columns.').waitFor()
    const button = app.getByRole('button', { name: 'Import', exact: true })
    const lookOf = (name: string) =>
      app.getByRole('button', { name, exact: true }).getAttribute('data-variant')
    await expectSoon(t, () => button.isDisabled(), true)
    await expectSoon(t, () => lookOf('Check again'), 'filled')
    await app.getByRole('combobox', { name: 'What Worth becomes' }).click()
    await app.getByRole('option', { name: 'Unit cost', exact: true }).click()
    await app.getByText('2 rows valid.').waitFor()
    await expectSoon(t, () => lookOf('Import'), 'filled')
    await expectSoon(t, () => button.isEnabled(), true)
    await expectSoon(t, () => app.getByText('Nothing to import').count(), 0)
  })

  await t.test('a page says where merchants find what they used in Stocky', async (t) => {
    await leave()
    await app.getByRole('link', { name: 'Where is X from Stocky?' }).click()
    await app.getByRole('heading', { name: 'Where is X from Stocky?', level: 1 }).waitFor()
    await expectSoon(t, () => app.getByRole('row').count(), 21, 'twenty rows and the header')
    const lowStock = app.getByRole('row', { name: 'Low stock report' })
    await lowStock.getByRole('link', { name: 'Alerts', exact: true }).click()
    await app.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor()
  })
})
