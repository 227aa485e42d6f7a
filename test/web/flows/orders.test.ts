import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import type { PurchaseOrder } from '../../../shared/schemas/purchase-orders.ts'
import { readPdf } from '../../shared/pdf/read-pdf.ts'
import { domain, expectSoon, goTo, startAdmin, writeOrder } from '../../support/core/admin.ts'
import { until } from '../../support/core/until.ts'

type Product = { title: string; variants: { variantId: string; sku: string; currentStock: number }[] }

t.test('from the installation to the received goods', async (t) => {
  const { platform, db, shop, get, getPdf, untilSynced, open, simulatorUrl } = await startAdmin(t)
  const tab = await open(`${simulatorUrl}/shops/${domain}`)
  const { page, app } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true })

  await t.test('the app is installed from the shop admin', async (t) => {
    await page.getByRole('link', { name: 'Install Quartermaster' }).click()
    await page.getByRole('button', { name: 'Install' }).click()
    await app.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await goTo(app, 'Purchase orders')
    await app.getByText('No purchase orders yet').waitFor()
    await untilSynced()
    await t.resolves(page.waitForURL(`${simulatorUrl}/shops/${domain}/admin/apps/**`))
  })

  const [product] = await get<Product[]>('/products')
  const variant = product?.variants[0]
  const { variantId = '', sku = '', currentStock = 0 } = variant ?? {}
  const title = product?.title ?? ''

  await t.test('an invalid field shows its error, and the first supplier is saved', async (t) => {
    await goTo(app, 'Suppliers')
    await app.getByRole('link', { name: 'Create a supplier' }).first().click()
    await app.getByLabel('Name').fill('Northgate')
    await app.getByLabel('E-mail').fill('nonsense')
    await button('Save').first().click()
    await app.getByText('Must be an e-mail address.').waitFor()
    await app.getByLabel('E-mail').fill('orders@northgate.example.com')
    await button('Save').first().click()
    await app.getByRole('heading', { name: 'Northgate', level: 1 }).waitFor()
    t.equal((await get<unknown[]>('/suppliers')).length, 1)
  })

  await t.test('an order is created, sent to the shown address, and arrives by mail', async (t) => {
    await writeOrder(tab, sku, 10, '2.50')
    await app.getByText('25.00').first().waitFor()
    await button('Send').click()
    const dialog = app.getByRole('dialog')
    await dialog.getByText('orders@northgate.example.com').first().waitFor()
    await dialog.getByRole('button', { name: 'Send' }).click()
    await app.getByText('E-mailed').waitFor()
    t.equal(platform.mails().length, 1)
    await page.goto(`${simulatorUrl}/inbox`)
    await page.getByText('Purchase order PO-00001').first().waitFor()
    await page.goBack()
    await app.getByRole('heading', { name: 'PO-00001' }).waitFor()
  })

  await t.test('the PDF opens in a new tab', async (t) => {
    const frame = page.frames().find((one) => one !== page.mainFrame())
    // The address of a tab with a PDF is not readable in every build of Chromium, so the frame records what it opens.
    await frame?.evaluate(() => {
      const open = window.open
      window.open = (url, ...rest) => {
        document.title = String(url)
        return open.call(window, url, ...rest)
      }
    })
    const [popup] = await Promise.all([page.waitForEvent('popup'), button('PDF').click()])
    t.match(await frame?.evaluate(() => document.title), /^blob:/)
    await popup.close()
  })

  await t.test('the page shows the address of delivery, and the mail with its PDF', async (t) => {
    for (const line of ['1 Main Street', 'Springfield 00001', 'United States']) {
      await app.getByText(line, { exact: true }).waitFor()
    }
    const mailed = app.getByRole('button', { name: /^PDF to orders@northgate\.example\.com: Sent / })
    // pressed again while the API is too busy
    const response = await until(async () => {
      const requested = page.waitForResponse((response) => response.url().includes('/mails/'))
      const [popup] = await Promise.all([page.waitForEvent('popup'), mailed.click()])
      await popup.close()
      const answer = await requested
      return answer.status() !== 503 && answer
    }, 'the PDF opens')
    t.equal(response.status(), 200)
    const { mails } = await get<PurchaseOrder>('/purchase-orders/1')
    const path = `/purchase-orders/1/mails/${mails[0]?.id}/pdf`
    t.equal(new URL(response.url()).pathname, `/api${path}`)
    const { text } = await readPdf(await getPdf(path))
    t.match(text, /SHIP TO\nMain warehouse\n1 Main Street\nSpringfield 00001\nUnited States\n/)
  })

  await t.test('a link opens a page of the app, and the back button returns', async (t) => {
    await goTo(app, 'Suppliers')
    await app.getByRole('link', { name: 'Northgate' }).waitFor()
    await t.resolves(page.waitForURL(/\/suppliers$/), 'the shop admin shows the address of the page')
    await page.goBack()
    await app.getByRole('heading', { name: 'PO-00001' }).waitFor()
    await t.resolves(page.waitForURL(/\/purchase-orders\/1$/))
  })

  await t.test('a mail whose PDF was not kept has no link, and a reload opens the same page', async (t) => {
    await db.query(sql.typeAlias('void')`update outgoing_mail set content = null, pdf_sha256 = null`)
    await page.frames()[1]?.evaluate('location.reload()')
    await app.getByText('Its PDF was not kept.').waitFor()
    await expectSoon(t, () => app.getByRole('button', { name: /^PDF to / }).count(), 0)
  })

  const locationId = (await get<{ locationId: string }[]>('/locations'))[0]?.locationId ?? ''
  const before = shop.stockOf(variantId, locationId) ?? 0
  const expectStock = async (more: number) => {
    await until(async () => {
      const [stored] = await get<Product[]>(`/products?search=${encodeURIComponent(sku)}`)
      return stored?.variants[0]?.currentStock === currentStock + more
    }, `${more} more in the app`)
    await until(() => shop.stockOf(variantId, locationId) === before + more, `${more} more on the platform`)
  }

  await t.test('a part is received; more than ordered needs a confirmation', async () => {
    await app.getByRole('link', { name: 'Receive' }).click()
    await app.getByLabel(`Quantity received of ${title}`).fill('40')
    await button('Save receipt').first().click()
    await app.getByRole('dialog').getByText('40 received, 10 outstanding').waitFor()
    await button('Cancel').click()
    await app.getByLabel(`Quantity received of ${title}`).fill('4')
    await button('Save receipt').first().click()
    await app.getByText('Partly received').waitFor()
    await expectStock(4)
  })

  await t.test('the rest is received', async () => {
    await app.getByRole('link', { name: 'Receive' }).click()
    await button('Receive all').click()
    await button('Save receipt').first().click()
    await app.getByText('6 received at').waitFor()
    await expectStock(10)
  })

  await t.test('a receipt is reversed', async () => {
    await app
      .getByRole('button', { name: /^Undo the receipt/ })
      .first()
      .click()
    await button('Undo receipt').click()
    await app.getByText('Partly received').waitFor()
    await expectStock(4)
  })
})
