import sharp from 'sharp'
import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { readPdf } from '../../shared/pdf/read-pdf.ts'
import { findRoles, readStructure } from '../../shared/pdf/read-structure.ts'
import { addSupplier, clickLink, expectSoon, goTo, startAdmin, writeOrder } from '../../support/core/admin.ts'

type Location = { locationId: string; name: string; isPrimary: boolean }

t.test('settings apply to every page and document', async (t) => {
  const { db, install, get, getPdf, open } = await startAdmin(t)
  await install()
  const tab = await open('/suppliers')
  await addSupplier(tab, 'Northgate', 'orders@northgate.example.com')
  const [product] = await get<{ title: string }[]>('/products')
  await writeOrder(tab, product?.title ?? '', 10, '1234.50')
  const { page, app } = tab
  const go = (name: string) => goTo(app, name)
  const save = app.getByRole('button', { name: 'Save', exact: true })
  const untilSaved = async () => {
    await save.click()
    await app.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
  }

  await t.test('the PDF of an order has the company block as the page shows it', async (t) => {
    await go('Settings')
    await app.getByLabel('Company name').fill('Kestrel & Vine')
    await app.getByLabel('Address').fill('1 High Street\nYork YO1 7HH')
    await app.getByLabel('Phone').fill('+44 1904 555000')
    await app.getByLabel('Reply-to e-mail').fill('nonsense')
    await app.getByText('York YO1 7HH').last().waitFor()
    await save.click()
    await app.getByText('Must be an e-mail address.').waitFor()
    await app.getByLabel('Reply-to e-mail').fill('buying@kestrel.example.com')
    await app.getByRole('combobox', { name: 'Language and formats of documents' }).fill('German (Germ')
    await app.getByRole('option', { name: 'German (Germany)' }).click()
    await untilSaved()
    await app.getByText('Settings saved').waitFor()
    const { text } = await readPdf(await getPdf('/purchase-orders/1/pdf'))
    for (const expected of ['Kestrel & Vine', '1 High Street', 'York YO1 7HH', '+44 1904 555000']) {
      t.match(text, expected)
    }
    t.match(text, 'buying@kestrel.example.com')
    t.match(text, /12\.345,00/, 'amounts are formatted in German')
  })

  await t.test('the logo, the tax number and the paper are on the PDF', async (t) => {
    const picture = await sharp({ create: { width: 2400, height: 800, channels: 3, background: '#0b6e4f' } })
      .png()
      .toBuffer()
    await app
      .getByLabel('Logo file')
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: picture })
    // the browser draws a picture with too many pixels smaller
    await app.getByRole('img', { name: 'Your logo' }).waitFor()
    await app.getByLabel('Tax number').fill('GB 123 4567 89')
    await app.getByLabel('Ordered by').fill('Dana Reyes')
    await app.getByRole('combobox', { name: 'Paper' }).click()
    await app.getByRole('option', { name: 'US Letter', exact: true }).click()
    await untilSaved()
    for (const path of ['/purchase-orders/1/pdf', '/settings/sample-order.pdf']) {
      const file = await getPdf(path)
      const { text, pages } = await readPdf(file)
      t.match(text, 'GB 123 4567 89')
      t.match(text, 'Dana Reyes')
      t.equal(pages[0]?.width, 612)
      t.equal(findRoles((await readStructure(file)).roots, 'Figure').length, 1)
    }
    await app
      .getByLabel('Logo file')
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('%PDF-1.7') })
    await app.getByText('Choose a PNG, JPEG or WebP picture. This file is something else.').waitFor()
    await app.getByRole('button', { name: 'Remove logo' }).click()
    await app.getByRole('dialog').getByRole('button', { name: 'Remove logo' }).click()
    await app.getByRole('img', { name: 'Your logo' }).waitFor({ state: 'detached' })
    await app.getByRole('button', { name: 'Upload logo' }).waitFor()
  })

  await t.test('the locations are listed with their addresses', async (t) => {
    const table = app.getByRole('table', { name: 'Locations' })
    const row = table.getByRole('row', { name: /Main warehouse/ })
    await row.getByText('1 Main Street, Springfield 00001, United States').waitFor()
    await row.getByText('Orders without a destination arrive here').waitFor()
    await expectSoon(t, () => table.getByRole('row').count(), 3)
  })

  await t.test('a changed time zone applies to all pages immediately', async (t) => {
    const { createdAt } = await get<{ createdAt: string }>('/purchase-orders/1')
    const dayIn = (timeZone: string) =>
      new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
        new Date(createdAt),
      )
    await app.getByRole('combobox', { name: 'Time zone' }).fill('Kiritimati')
    await app.getByRole('option', { name: 'Pacific/Kiritimati' }).click()
    await untilSaved()
    await go('Purchase orders')
    await app.getByRole('link', { name: 'PO-00001', exact: true }).click()
    await app.getByText(dayIn('Pacific/Kiritimati').replace(/\s/g, ' ')).first().waitFor()
    t.match(await get('/settings'), { timeZone: 'Pacific/Kiritimati', locale: 'de-DE' })
  })

  await t.test(
    'the default delivery location is saved, and leaving unsaved changes needs a confirmation',
    async (t) => {
      const [, other] = await get<Location[]>('/locations')
      await go('Settings')
      await app.getByRole('combobox', { name: 'Default delivery location' }).click()
      await app.getByRole('option', { name: other?.name ?? '' }).click()
      await expectSoon(t, () => app.getByRole('button', { name: 'Discard' }).isEnabled(), true)
      await clickLink(app, 'Purchase orders')
      await app.getByText('Leave without saving?').waitFor()
      await app.getByRole('button', { name: 'Keep editing' }).click()
      await untilSaved()
      t.match(await get('/locations'), [{ locationId: other?.locationId, isPrimary: true }, {}])
      t.match(await get('/settings'), { companyName: 'Kestrel & Vine', defaultLocationId: other?.locationId })
      await go('Purchase orders')
    },
  )

  await t.test('a setting that the API refuses shows the error at its field', async (t) => {
    await go('Settings')
    await page.route('**/api/settings', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({
            status: 422,
            json: {
              success: false,
              error: {
                code: 'unknown_location',
                message: 'Choose a location that is in use.',
                details: [{ path: '/defaultLocationId', message: 'is no longer in use' }],
                requestId: 'test-request',
              },
            },
          })
        : route.continue(),
    )
    await app.getByLabel('Phone').fill('1')
    await save.click()
    await app.getByText('Is no longer in use.').waitFor()
    await page.unroute('**/api/settings')
    await app.getByRole('button', { name: 'Discard' }).click()
    await app.getByRole('button', { name: 'Discard changes' }).click()
    await expectSoon(t, () => app.getByLabel('Phone').inputValue(), '+44 1904 555000')
  })

  await t.test('alert settings are saved', async (t) => {
    await app.getByLabel('Alert me when an order is overdue').uncheck()
    await app.getByLabel('Alert early by (%)').fill('25')
    await app.getByText('alerted below 25').waitFor()
    const sent = page.waitForRequest('**/api/alerts/configure')
    await save.click()
    await app.getByText('Alerts saved').waitFor()
    t.strictSame((await sent).postDataJSON(), { overduePoAlerts: false, alertThresholdPercent: 25 })
    t.strictSame(await get('/alerts/configure'), {
      lowStockAlerts: true,
      overduePoAlerts: false,
      alertThresholdPercent: 25,
    })
  })

  await t.test('the last export is still there after the next one failed', async (t) => {
    await app.getByRole('button', { name: 'Make the file' }).click()
    await app.getByRole('button', { name: 'Download the ZIP file' }).waitFor()
    await db.query(sql.typeAlias('void')`
      insert into export (shop_id, state, error, created_by, created_at, progressed_at, finished_at)
      select shop_id, 'failed', 'No room left.', '', now(), now(), now() from export
    `)
    await page.reload()
    await app.getByText('No room left.').waitFor()
    await app.getByText(/ kB\. It is stored until /).waitFor()
    const download = page.waitForEvent('download')
    await app.getByRole('button', { name: 'Download the ZIP file' }).click()
    t.match((await download).suggestedFilename(), /\.zip$/)
  })

  await t.test('a setting of stock changes leaves the standard reasons as they are', async (t) => {
    await app.getByLabel('Require a reason of this list').check()
    const sent = page.waitForRequest((request) => request.method() === 'PUT')
    await save.click()
    await app.getByText('Stock settings saved').waitFor()
    t.strictSame((await sent).postDataJSON(), { adjustmentReasonRequired: true })
  })
})
