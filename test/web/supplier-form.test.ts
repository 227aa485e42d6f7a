import t from 'tap'
import { sql } from '../../shared/db/db.ts'
import { expectSoon, startAdmin } from '../support/core/admin.ts'

t.test('a merchant fills in the form of a supplier', async (t) => {
  const { install, open, get, send, db } = await startAdmin(t)
  await install()

  await t.test('the country is chosen by its name or its code, never cut to another one', async (t) => {
    const { id } = await send<{ id: number }>('POST', '/suppliers', { name: 'Kiln' })
    // a code of before the API checked them
    await db.query(sql.typeAlias('void')`
      update supplier set country_code = 'QZ' where shop_id = (select id from shop) and id = ${id}
    `)
    const { app, page } = await open(`/suppliers/${id}`)
    const country = app.getByRole('combobox', { name: 'Country' })
    await expectSoon(t, () => country.inputValue(), 'QZ', 'a stored code without a name is shown')
    await country.click()
    await app.getByRole('option', { name: 'Albania' }).waitFor()
    await country.fill('Germany')
    await app.locator('[data-combobox-selected]', { hasText: 'Germany' }).waitFor()
    await country.press('Enter')
    await expectSoon(t, () => country.inputValue(), 'Germany')
    const save = async () => {
      await app.getByRole('button', { name: 'Save' }).first().click()
      await app.getByText('Supplier saved').first().waitFor()
    }
    await save()
    t.match(await get(`/suppliers/${id}`), { countryCode: 'DE' })
    await country.fill('ge')
    await expectSoon(t, () => app.getByRole('option').first().textContent(), 'Georgia')
    await country.fill('Nowhere')
    await app.getByText('No matching countries').waitFor()
    await country.press('Tab')
    await expectSoon(t, () => country.inputValue(), 'Germany', 'a word that is no country changes nothing')
    await page.close()
  })

  await t.test('a contact that another user changed is shown, and overwritten or taken', async (t) => {
    const { id } = await send<{ id: number }>('POST', '/suppliers', { name: 'Saltmarsh' })
    const contacts = `/suppliers/${id}/contacts`
    const contact = await send<{ id: number }>('POST', contacts, { name: 'Ada', phone: '1' })
    const { app, page } = await open(`/suppliers/${id}`)
    const dialog = app.getByRole('dialog')
    await app.getByRole('button', { name: 'Edit Ada' }).click()
    await dialog.getByLabel('Role').fill('Sales')
    await send('PUT', `${contacts}/${contact.id}`, { phone: '2' })
    await dialog.getByRole('button', { name: 'Save contact' }).click()
    await dialog.getByText('This contact was changed since you opened it').waitFor()
    await dialog.getByText('Phone: 2').waitFor()
    await dialog.getByRole('button', { name: 'Use theirs' }).click()
    await expectSoon(t, () => dialog.getByLabel('Phone').inputValue(), '2')
    await dialog.getByLabel('Role').fill('Sales')
    await send('PUT', `${contacts}/${contact.id}`, { phone: '3' })
    await dialog.getByRole('button', { name: 'Save contact' }).click()
    await dialog.getByRole('button', { name: 'Overwrite with mine' }).click()
    await dialog.waitFor({ state: 'detached' })
    t.match(await get(`/suppliers/${id}`), { contacts: [{ role: 'Sales', phone: '2' }] })
    await page.close()
  })

  await t.test('a merge begins at its picker, which tells equal names apart', async (t) => {
    const add = (fields: object) => send<{ id: number }>('POST', '/suppliers', fields)
    const { id } = await add({ name: 'Clay', accountNumber: 'C-1' })
    const other = await add({ name: 'clay', email: 'clay@clay.example' })
    const third = await add({ name: 'Clay', accountNumber: 'C-3' })
    const { app, page } = await open(`/suppliers/${id}`)
    await app.getByRole('button', { name: 'Merge' }).press('Enter')
    const into = app.getByRole('dialog').getByRole('combobox', { name: 'Into' }).and(app.locator(':focus'))
    await into.waitFor()
    await expectSoon(t, () => app.getByRole('option').count(), 0, 'the list covers no text')
    await into.fill('clay')
    await expectSoon(t, () => app.getByRole('option').allTextContents(), [
      'Clay · C-3',
      'clay · clay@clay.example',
    ])
    await app.getByRole('option', { name: 'Clay · C-3' }).click()
    await expectSoon(t, () => into.inputValue(), 'Clay · C-3')
    await app.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()
    await app.getByText('Clay merged into Clay').waitFor()
    t.strictSame(await get(`/suppliers/${third.id}`).then((kept) => (kept as { name: string }).name), 'Clay')
    t.match(await get(`/suppliers/${other.id}`), { name: 'clay' })
    await page.close()
  })
})
