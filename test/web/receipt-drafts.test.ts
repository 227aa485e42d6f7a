import t from 'tap'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import type { Receipt } from '../../shared/schemas/receipts.ts'
import { expectSoon, startAdmin } from '../support/core/admin.ts'
import { visit } from '../support/web/page-tour.ts'

type Product = { productId: string; title: string; variants: { variantId: string }[] }

t.test('a draft of a receipt is saved once, and lost only on demand', async (t) => {
  const { install, get, send, open } = await startAdmin(t)
  await install()
  const [{ productId = '', title = '', variants: [{ variantId = '' } = {}] = [] } = {}] =
    await get<Product[]>('/products')
  const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', { name: 'Northgate' })
  const createOrder = async (lineCount = 1) => {
    const lineItems = Array.from({ length: lineCount }, () => ({
      productId,
      variantId,
      quantity: 10,
      costPrice: 2,
    }))
    const { id } = await send<{ id: number }>('POST', '/purchase-orders', { supplierId, lineItems })
    await send('POST', `/purchase-orders/${id}/send`, {})
    const order = await get<PurchaseOrder>(`/purchase-orders/${id}`)
    const receipts = `/purchase-orders/${id}/receipts`
    return {
      ...{ id, order, receipts },
      drafts: () => get<Receipt[]>(`${receipts}?state=draft`),
      /** Of each line, as another device sends it. */
      counted: (accepted: (at: number) => number) => ({
        lines: order.lineItems.map((line, at) => ({ lineItemId: line.id, accepted: accepted(at) })),
      }),
    }
  }
  const tab = await open('/suppliers')
  const { app, page } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  const dialog = app.getByRole('dialog')
  const received = app.getByLabel(`Quantity received of ${title}`)
  const showForm = ({ id, order }: Awaited<ReturnType<typeof createOrder>>) =>
    visit(tab, `/purchase-orders/${id}/receive`, `Receive ${order.poNumber}`)

  await t.test('two clicks at once save one draft', async (t) => {
    const own = await createOrder()
    await showForm(own)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/receipts')) sent.push(request.url())
    })
    await received.fill('2')
    await app.getByRole('button', { name: 'Save as draft', disabled: false }).waitFor()
    await button('Save as draft').evaluate((element: HTMLElement) => {
      element.click()
      element.click()
    })
    await app.getByText(/Draft of .*: 2 counted/).waitFor()
    t.equal(sent.length, 1)
    t.equal((await own.drafts()).length, 1)
  })

  await t.test('a receipt whose answers were lost is saved once, by another click', async (t) => {
    const own = await createOrder()
    const posting = '**/api/purchase-orders/*/receipts/*/post'
    await page.route(posting, async (route) => {
      await route.fetch()
      await route.abort()
    })
    const locations = Promise.withResolvers<void>()
    await page.route('**/api/locations*', async (route) => {
      await locations.promise
      await route.continue()
    })
    await showForm(own)
    // the locations that were read before are forgotten
    await page.reload()
    await received.fill('4')
    // the second save must send the location of the first
    await expectSoon(t, () => button('Save receipt').isDisabled(), true, 'the locations are not loaded')
    locations.resolve()
    const lost = page.waitForEvent('requestfailed', (request) => request.method() === 'POST')
    await button('Save receipt').click()
    await lost
    await app.getByText('There is no connection to Quartermaster.').first().waitFor()
    await page.unroute(posting)
    await button('Save receipt').click()
    await app.getByText(/^4 received at/).waitFor()
    t.match(await get(own.receipts), [{ lineItems: [{ accepted: 4 }] }])
    t.match(await get(`/purchase-orders/${own.id}`), { lineItems: [{ receivedQuantity: 4 }] })
  })

  await t.test(
    'a discarded form leaves no draft but that of another device, and scanning asks',
    async (t) => {
      const own = await createOrder()
      const { drafts, counted, receipts } = own
      const accepted = async () => (await drafts()).map(({ lineItems: [line] }) => line?.accepted)
      const refuse = async () => {
        await received.fill('12')
        await button('Save receipt').click()
        await button('Cancel').click()
      }
      const discard = async () => {
        await button('Discard').click()
        await button('Discard changes').click()
      }
      const count = async (pieces: number) => {
        const [draft] = await drafts()
        await send(
          'PUT',
          `${receipts}/${draft?.id}`,
          counted(() => pieces),
        )
        return `${receipts}/${draft?.id}`
      }
      await showForm(own)
      await refuse()
      t.strictSame(await accepted(), [12])
      const first = await count(3)
      await discard()
      const changed = app.getByRole('alert').filter({ hasText: 'This draft was changed since you opened it' })
      await changed.getByText(`${title}: 12 accepted → 3 accepted`).waitFor()
      await changed.getByText(/^It is not deleted\./).waitFor()
      t.strictSame(await accepted(), [3], 'what another device counted stays')
      await expectSoon(t, () => changed.getByRole('button').allTextContents(), [
        'Delete the draft anyway',
        'Keep the draft',
      ])
      await button('Keep the draft').click()
      await expectSoon(t, () => received.inputValue(), '3')
      await expectSoon(t, () => button('Discard').isDisabled(), true, 'nothing of this page is in the form')
      await received.fill('4')
      await discard()
      await expectSoon(t, () => received.inputValue(), '3')
      t.strictSame(await accepted(), [3], 'Discard does not delete the draft of another device')
      await refuse()
      t.strictSame(await accepted(), [12])
      await received.fill('4')
      await discard()
      await expectSoon(t, () => received.inputValue(), '12')
      t.strictSame(await accepted(), [12], 'a version saved over that one stays, too')

      await send('DELETE', first)
      await page.reload()
      await refuse()
      await count(2)
      await discard()
      await changed.getByText(`${title}: 12 accepted → 2 accepted`).waitFor()
      await button('Delete the draft anyway').click()
      await expectSoon(t, () => received.inputValue(), '')
      t.strictSame(await drafts(), [])
      t.strictSame(await get(receipts), [], 'nothing was posted')

      await refuse()
      await send('POST', `${await count(1)}/post`, {})
      await discard()
      await app.getByText('The draft was posted in the meantime').waitFor()
      await expectSoon(t, () => received.inputValue(), '')
      await refuse()
      await app.getByRole('link', { name: 'Receive by scanning' }).click()
      await button('Leave').click()
      await app.getByText(/^Continue the draft of .* with 12 pieces\?$/).waitFor()
      await button('Start a new receipt').click()
      await app.getByText('0 of 9 pieces').waitFor()
      await page.reload()
      await app.getByRole('button', { name: /^Continue the draft of/ }).click()
      await app.getByText('12 of 9 pieces').waitFor()
      await page.reload()
      await app.getByText('12 of 9 pieces').waitFor()
    },
  )

  await t.test('a draft that was changed is deleted after another look at ten changes', async (t) => {
    const { id, order, receipts, counted, drafts } = await createOrder(12)
    const draft = await send<{ id: number }>(
      'POST',
      receipts,
      counted(() => 1),
    )
    await visit(tab, `/purchase-orders/${id}`, order.poNumber)
    await app.getByRole('button', { name: /^Delete the draft/ }).click()
    await dialog.getByText(/^What was counted in it by user \S+ at \S.* is lost, unless/).waitFor()
    await send(
      'PUT',
      `${receipts}/${draft.id}`,
      counted((at) => at + 2),
    )
    await button('Delete draft').click()
    await dialog.getByText('It has changed in the meantime: 12 pieces before, 90 pieces now.').waitFor()
    await dialog.getByText('and 2 more', { exact: true }).waitFor()
    const rows = await dialog.getByRole('listitem').allTextContents()
    t.equal(rows.length, 11)
    t.equal(rows[9], `${title}: 1 accepted → 11 accepted`)
    t.equal((await drafts()).length, 1)
    await button('Delete draft').click()
    await expectSoon(t, () => app.getByText(/^Draft of/).count(), 0)
    t.strictSame(await drafts(), [])
  })
})
