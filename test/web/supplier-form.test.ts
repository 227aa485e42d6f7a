import t from 'tap'
import { expectSoon, startAdmin } from '../support/core/admin.ts'

t.test('a merchant fills in the form of a supplier', { timeout: 300_000 }, async (t) => {
  const { install, open, get, send } = await startAdmin(t)
  await install()

  await t.test('the country is chosen by its name or its code, never cut to another one', async (t) => {
    const { id } = await send<{ id: number }>('POST', '/suppliers', { name: 'Kiln', countryCode: 'QZ' })
    const { app, page } = await open(`/suppliers/${id}`)
    const country = app.getByRole('combobox', { name: 'Country' })
    await expectSoon(t, () => country.inputValue(), 'QZ', 'a stored code without a name is shown')
    await country.fill('Germany')
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
})
