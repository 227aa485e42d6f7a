import t from 'tap'
import { takeShopFacts } from '../../shared/domain/shop-facts.ts'
import { startApp } from '../support/app.ts'

const defaults = {
  companyName: '',
  address: '',
  phone: '',
  email: '',
  currency: 'USD',
  timeZone: 'UTC',
  locale: 'en-US',
}

t.test('a shop nobody has told anything about has the defaults', async (t) => {
  const { alice } = await startApp(t)
  const answer = await alice.get('/api/settings')
  t.equal(answer.statusCode, 200)
  t.strictSame(answer.json(), { success: true, data: defaults })
})

t.test('what the platform says is shown, and nothing of it to another shop', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const facts = { name: 'Alice & Co', email: 'a@example.com', currency: 'EUR', timeZone: 'Europe/Paris' }
  await db.transaction((tx) => takeShopFacts(tx, alice.shopId, facts))
  t.strictSame((await alice.get('/api/settings')).json().data, {
    ...defaults,
    companyName: 'Alice & Co',
    email: 'a@example.com',
    currency: 'EUR',
    timeZone: 'Europe/Paris',
  })
  t.strictSame((await mallory.get('/api/settings')).json().data, defaults)
})
