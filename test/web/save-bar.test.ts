import t from 'tap'
import { clickLink, expectSoon, startAdmin } from '../support/core/admin.ts'
import { findViolations } from '../support/core/axe.ts'
import { visit } from '../support/web/page-tour.ts'

type Product = { title: string }

t.test('the forms of a page are saved from one bar', async (t) => {
  const { platform, install, get, open } = await startAdmin(t)
  await install()
  const tab = await open('/suppliers')
  const { page, app } = tab
  const bar = app.getByRole('region', { name: 'Unsaved changes' })
  /** Of the mail template that is shown. */
  const subject = app.getByRole('form', { name: 'Template' }).getByLabel('Subject')
  const frame = () => {
    const found = page.frames()[1]
    if (!found) throw new Error('The app has no frame')
    return found
  }
  const isInSight = () =>
    bar.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return top >= 0 && bottom <= window.innerHeight
    })
  const hasFocus = (label: string) =>
    app
      .getByLabel(label)
      .first()
      .evaluate((field) => field === document.activeElement)

  await t.test('a new record has the bar at once, and Enter in a field saves', async (t) => {
    await app.getByRole('link', { name: 'Create a supplier' }).first().click()
    await bar.getByText('Not saved yet').waitFor()
    await expectSoon(t, () => bar.getByRole('button', { name: 'Discard' }).isDisabled(), true)
    await app.getByLabel('E-mail').fill('bad')
    await app.getByLabel('E-mail').press('Enter')
    await bar.getByText('2 fields need fixing').waitFor()
    await expectSoon(t, () => hasFocus('Name'), true, 'the first field with an error has the focus')
    // the field itself knows that this is no number
    await app.getByLabel('Minimum order value').fill('a lot')
    await app.getByLabel('Minimum order value').press('Tab')
    await bar.getByText('3 fields need fixing').waitFor()
    await app.getByLabel('Name').fill('Northgate')
    await bar.getByText('2 fields need fixing').waitFor()
  })

  await t.test('the bar leads from one field with an error to the next', async (t) => {
    const next = bar.getByRole('button', { name: 'Show next' })
    await next.click()
    t.ok(await hasFocus('E-mail'))
    await next.click()
    t.ok(await hasFocus('Minimum order value'))
    await next.click()
    t.ok(await hasFocus('E-mail'), 'after the last, the first')
    await app.getByLabel('E-mail').fill('orders@northgate.example.com')
    await bar.getByText('1 field needs fixing').waitFor()
    await app.getByLabel('Minimum order value').fill('100')
    await bar.getByText('Unsaved changes').waitFor()
    await expectSoon(t, () => findViolations(tab), [])
  })

  await t.test('Ctrl-S saves, and the browser does not get the key', async (t) => {
    const isPrevented = () => frame().evaluate(() => document.documentElement.dataset.prevented)
    await frame().evaluate(() => {
      window.addEventListener('keydown', (event) => {
        // after the listeners of the page that is open now
        setTimeout(() => {
          if (event.key === 's') document.documentElement.dataset.prevented = String(event.defaultPrevented)
        })
      })
    })
    await app.getByLabel('Name').press('Control+s')
    await app.getByRole('heading', { name: 'Northgate', level: 1 }).waitFor()
    await expectSoon(t, isPrevented, 'true')
    await frame().evaluate(() => delete document.documentElement.dataset.prevented)
    await expectSoon(t, () => bar.count(), 0, 'nothing is left to save')
    await page.keyboard.press('Control+s')
    await expectSoon(t, isPrevented, 'true', 'nor on a page without changes')
    await page.keyboard.press('?')
    await app.getByText('Save the page or the open dialog').waitFor()
    await page.keyboard.press('Escape')
  })

  await t.test('changes are discarded or left after a question, also by the back button', async (t) => {
    const name = app.getByLabel('Name')
    await name.fill('Southgate')
    await bar.getByRole('button', { name: 'Discard' }).click()
    await app.getByRole('button', { name: 'Keep editing' }).click()
    await page.goBack()
    await app.getByText('Leave without saving?').waitFor()
    await app.getByRole('button', { name: 'Keep editing' }).click()
    await expectSoon(t, () => name.inputValue(), 'Southgate')
    await bar.getByRole('button', { name: 'Discard' }).click()
    await app.getByRole('button', { name: 'Discard changes' }).click()
    await expectSoon(t, () => name.inputValue(), 'Northgate')
    await expectSoon(t, () => bar.count(), 0)
    await name.fill('Southgate')
    await bar.getByText('Unsaved changes').waitFor()
    await clickLink(app, 'Settings')
    await app.getByRole('button', { name: 'Leave' }).click()
    await app.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    t.match(await get('/suppliers'), [{ name: 'Northgate' }])
  })

  await t.test('several changed cards of Settings have one bar', async (t) => {
    const gate = Promise.withResolvers<void>()
    await page.route('**/api/settings', async (route) => {
      if (route.request().method() === 'PUT') await gate.promise
      return route.continue()
    })
    await subject.press('Enter')
    await app.getByLabel('Company name').fill('Kestrel & Vine')
    await app.getByLabel('Alert early by (%)').fill('20')
    const field = app.getByRole('combobox', { name: 'Send the digest to' })
    await field.fill('buyer@kestrel.example.com')
    await expectSoon(t, () => bar.count(), 1)
    await expectSoon(t, () => bar.getByRole('button', { name: 'Save' }).count(), 1)
    await page.keyboard.press('Control+s')
    await expectSoon(t, () => app.getByLabel('Company name').isDisabled(), true, 'while it is saved')
    gate.resolve()
    await expectSoon(t, () => bar.count(), 0)
    await page.unroute('**/api/settings')
    await expectSoon(t, () => app.getByLabel('Company name').isEnabled(), true)
    const templates = [{ isOwn: false }, { isOwn: false }]
    t.match(await get('/mail-templates'), templates, 'Enter in a form without changes has stored nothing')
    t.match(await get('/settings'), { companyName: 'Kestrel & Vine' })
    t.match(await get('/alerts/configure'), { alertThresholdPercent: 20 })
    const digest = { recipients: ['buyer@kestrel.example.com'] }
    t.match(await get('/digest'), digest, 'the address that was being typed is saved, too')
  })

  await t.test('the bar leads to a fault of the mail template that is not shown', async (t) => {
    const kinds = app.getByRole('radiogroup', { name: 'Kind of e-mail' })
    await kinds.getByText('Changed order', { exact: true }).click()
    await subject.fill('Changed: {{poNumbr}}')
    await kinds.getByText('Order', { exact: true }).click()
    await expectSoon(t, () => subject.inputValue().then((text) => text.includes('poNumbr')), false)
    await page.keyboard.press('Control+s')
    await bar.getByText('1 field needs fixing').waitFor()
    await bar.getByRole('button', { name: 'Show it' }).click()
    await expectSoon(t, () => subject.evaluate((field) => field === document.activeElement), true)
    await subject.fill('Changed: {{poNumber}}')
    await page.keyboard.press('Control+s')
    await expectSoon(t, () => bar.count(), 0)
    t.match(await get('/mail-templates'), [{ isOwn: false }, { subject: 'Changed: {{poNumber}}' }])
  })

  await t.test('the bar of a long form stays in sight, on a phone above the tabs', async (t) => {
    const [first] = await get<Product[]>('/products')
    await visit(tab, '/purchase-orders/new?supplierId=1', 'Create an order')
    platform.faults.set({ withoutAppNavigation: true })
    await page.reload()
    await app.getByLabel('Add a product').fill(first?.title ?? '')
    await app.getByRole('option').first().click()
    await app.getByLabel('Internal note').fill('Line\n'.repeat(60))
    await page.setViewportSize({ width: 360, height: 640 })
    await frame().evaluate(() => window.scrollTo(0, 0))
    await expectSoon(t, isInSight, true, 'at the top of the page')
    const isAboveTabs = async () => {
      const tabs = await app.locator('nav[aria-label="Quartermaster"]:visible').boundingBox()
      const box = await bar.boundingBox()
      return tabs && box && box.y + box.height <= tabs.y
    }
    await expectSoon(t, isAboveTabs, true, 'above the tabs')
    await app.getByLabel('Internal note').scrollIntoViewIfNeeded()
    await expectSoon(t, isInSight, true, 'further down')
    await expectSoon(t, () => frame().evaluate(() => document.documentElement.scrollWidth), 360)
    await expectSoon(t, () => findViolations(tab), [])
    await page.setViewportSize({ width: 1280, height: 700 })
    await expectSoon(t, isInSight, true, 'on a wide screen')
    await bar.getByRole('button', { name: 'Save draft' }).click()
    await app.getByRole('heading', { name: 'PO-00001', level: 1 }).waitFor()
  })

  await t.test('fields with the same error are counted by its words', async (t) => {
    const titles = (await get<Product[]>('/products')).slice(0, 3).map(({ title }) => title)
    const quantityOf = (title: string) => app.getByLabel(`Quantity of ${title}`)
    await app.getByRole('link', { name: 'Edit' }).click()
    await app.getByRole('heading', { name: 'Edit PO-00001' }).waitFor()
    for (const title of titles.slice(1)) {
      await app.getByLabel('Add a product').fill(title)
      await app.getByLabel('Add a product').press('Enter')
      await quantityOf(title).waitFor()
    }
    for (const title of titles) {
      await quantityOf(title).fill('1.5')
      await quantityOf(title).press('Tab')
    }
    await bar.getByText('3 fields: Enter a whole number.').waitFor()
    await bar.getByRole('button', { name: 'Show next' }).click()
    t.ok(await hasFocus(`Quantity of ${titles[0]}`))
    for (const title of titles) await quantityOf(title).fill('2')
    await page.keyboard.press('Control+s')
    await app.getByRole('heading', { name: 'PO-00001', level: 1, exact: true }).waitFor()
    t.match(await get('/purchase-orders/1'), { lineItems: titles.map(() => ({ quantity: 2 })) })
  })
})
