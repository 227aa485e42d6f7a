import t from 'tap'
import { createUnsubscribeTokens } from '../../shared/unsubscribe-token.ts'
import { expectSoon, startAdmin } from '../support/core/admin.ts'
import { findViolations } from '../support/core/axe.ts'
import { testKeys } from '../support/core/database.ts'

t.test('the daily digest is set up, previewed and unsubscribed', async (t) => {
  const { install, get, send, open, webUrl, platform } = await startAdmin(t)
  await install()
  const [product] = await get<{ variants: { variantId: string }[] }[]>('/products')
  const tab = await open('/settings')
  const { app, page } = tab
  const form = app.getByRole('form', { name: 'Daily digest' })
  const save = app.getByRole('button', { name: 'Save', exact: true })
  // hours that do not come during the test: the digest would be sent
  const [hour, later] = new Date().getUTCHours() < 12 ? ([17, 18] as const) : ([5, 6] as const)
  const chooseHour = async (chosen: number) => {
    await form.getByRole('combobox', { name: 'Hour of the digest' }).click()
    await app.getByRole('option', { name: `${String(chosen).padStart(2, '0')}:00` }).click()
  }

  await t.test('a test needs a saved recipient', async () => {
    await form.getByRole('button', { name: 'Send a test' }).click()
    await form.getByText(/^Enter at least one recipient and save\./).waitFor()
  })

  await t.test('it is off, and needs a recipient to be turned on', async (t) => {
    await expectSoon(t, () => form.getByLabel('E-mail a daily digest').isChecked(), false)
    await form.getByRole('button', { name: 'Preview today’s digest' }).click()
    await form.getByText('Nothing needs attention, so no e-mail would be sent.').waitFor()
    await form.getByLabel('E-mail a daily digest').check()
    await save.click()
    await form.getByText('Must have an address when the digest is on.').waitFor()
  })

  await t.test('recipients and hour are saved', async (t) => {
    const field = form.getByRole('combobox', { name: 'Send the digest to' })
    await field.fill('buyer@kestrel.example.com, nonsense')
    await field.press('Enter')
    await save.click()
    await form.getByText(/^nonsense: Must be an e-mail address/).waitFor()
    // the field shows the error before the form is unlocked
    await expectSoon(t, () => field.isEnabled(), true)
    await field.press('Backspace')
    await chooseHour(hour)
    await save.click()
    await app.getByText('Digest saved').waitFor()
    t.match(await get('/digest'), { enabled: true, hour, recipients: ['buyer@kestrel.example.com'] })
    await expectSoon(t, () => save.count(), 0, 'nothing is left to save')
  })

  await t.test('the preview has what needs attention, also on a phone', async (t) => {
    const [variant] = product?.variants ?? []
    await send('POST', '/reorder/rules', {
      variantId: variant?.variantId,
      reorderPoint: 1_000_000,
      reorderQuantity: 1,
    })
    await page.reload()
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 })
      if (width === 1280) await form.getByRole('button', { name: 'Preview today’s digest' }).click()
      await form.getByText('Something is new, so this would be sent now:').waitFor()
      await form.getByText(/in stock, reorder point 1,000,000/).waitFor()
      await expectSoon(t, () => findViolations(tab), [], `${width} px`)
      const isWide = async () =>
        page
          .frames()[1]
          ?.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
      await expectSoon(t, isWide, false, `nothing overflows at ${width} px`)
    }
  })

  await t.test('a test is sent, and the page says what became of it', async (t) => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await send('PUT', '/digest', {
      recipients: ['buyer@kestrel.example.com', 'inactive@kestrel.example.com'],
    })
    await page.reload()
    await form.getByRole('button', { name: 'Send a test' }).click()
    await app.getByText('Sending a test to buyer@kestrel.example.com, inactive@kestrel.example.com').waitFor()
    await form.getByText('buyer@kestrel.example.com: sent').waitFor()
    await form.getByText(/^inactive@kestrel.example.com: not sent\. .*bounced/).waitFor()
    t.match(platform.mails(), [{ Subject: /^Test: /, TextBody: /reorder point 1,000,000/ }])
    t.match(await get('/digest'), { last: null })
    await expectSoon(t, () => findViolations(tab), [])
    await chooseHour(later)
    await form.getByText('Save to send a test.').waitFor()
    const button = form.getByRole('button', { name: 'Send a test' })
    await expectSoon(t, () => button.isDisabled(), true)
    await chooseHour(hour)
    await expectSoon(t, () => button.isEnabled(), true)
  })

  await t.test('a recipient who unsubscribed meanwhile is not added again by another change', async (t) => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await send('PUT', '/digest', { recipients: ['second@kestrel.example.com', 'buyer@kestrel.example.com'] })
    await page.reload()
    await form.getByText('second@kestrel.example.com').waitFor()
    await send('PUT', '/digest', { recipients: ['buyer@kestrel.example.com'] })
    await chooseHour(9)
    await save.click()
    await app.getByText('Digest saved').waitFor()
    t.match(await get('/digest'), { hour: 9, recipients: ['buyer@kestrel.example.com'] })
  })

  await t.test('a change of another user to the recipients is shown, and taken or overwritten', async (t) => {
    const field = form.getByRole('combobox', { name: 'Send the digest to' })
    await field.fill('third@kestrel.example.com')
    await field.press('Enter')
    await send('PUT', '/digest', { recipients: ['second@kestrel.example.com'] })
    await save.click()
    await form.getByText('This digest was changed since you opened it').waitFor()
    await form.getByText('Recipients: second@kestrel.example.com', { exact: true }).waitFor()
    await form.getByRole('button', { name: 'Overwrite with mine' }).click()
    await save.waitFor({ state: 'hidden' })
    const mine = ['buyer@kestrel.example.com', 'third@kestrel.example.com']
    t.match(await get('/digest'), { recipients: mine })
    await field.fill('fourth@kestrel.example.com')
    await field.press('Enter')
    await send('PUT', '/digest', { recipients: ['buyer@kestrel.example.com'] })
    await save.click()
    await form.getByRole('button', { name: 'Use theirs' }).click()
    for (const gone of ['third', 'fourth'])
      await form.getByText(`${gone}@kestrel.example.com`).waitFor({ state: 'hidden' })
    await form.getByText('This digest was changed since you opened it').waitFor({ state: 'hidden' })
    await form.getByText(/Reload/).waitFor({ state: 'hidden' })
    await save.waitFor({ state: 'hidden' })
    t.strictSame((await get<{ recipients: string[] }>('/digest')).recipients, ['buyer@kestrel.example.com'])
  })

  await t.test('the button of the link in a mail unsubscribes', async (t) => {
    const { sign } = createUnsubscribeTokens(testKeys)
    const token = sign({ shopId: 1, recipient: 'buyer@kestrel.example.com' })
    await page.goto(`${webUrl}/unsubscribe?token=${token}`)
    t.match(await get('/digest'), { enabled: true })
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await page.getByRole('heading', { name: 'Unsubscribed' }).waitFor()
    t.match(await get('/digest'), { enabled: false, recipients: [] })
  })

  await t.test('a forged link says that it is not valid', async (t) => {
    const response = await page.goto(`${webUrl}/unsubscribe?token=forged.token`)
    t.equal(response?.status(), 400)
    await page.getByRole('heading', { name: 'This link is not valid' }).waitFor()
  })
})
