import t from 'tap'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { makeOrder, makeSupplier } from '../../support/make/orders.ts'

const full = { name: 'Bob', email: 'bob@acme.example.com', phone: '+1 555 0101', role: 'Sales' }

async function makeContact(
  person: Person,
  supplierId: number,
  fields: Partial<typeof full> = full,
): Promise<number> {
  const answer = await person.post(`/api/suppliers/${supplierId}/contacts`, { name: 'Bob', ...fields })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json().data.id
}

const contactsOf = async (person: Person, supplierId: number) =>
  (await person.get(`/api/suppliers/${supplierId}`)).json().data.contacts

t.test('an added contact is shown with its supplier', async (t) => {
  const { alice } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const answer = await alice.post(`/api/suppliers/${supplierId}/contacts`, full)
  t.equal(answer.statusCode, 201)
  const { id } = answer.json().data
  t.strictSame(answer.json(), { success: true, data: { id, supplierId, ...full, version: 1 } })
  t.type(id, 'number')
  t.strictSame(await contactsOf(alice, supplierId), [{ id, supplierId, ...full, version: 1 }])
})

t.test('a contact needs only a name, and texts are trimmed', async (t) => {
  const { alice } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const { data } = (await alice.post(`/api/suppliers/${supplierId}/contacts`, { name: ' Bob ' })).json()
  const added = { id: data.id, supplierId, name: 'Bob', email: '', phone: '', role: '', version: 1 }
  t.strictSame(data, added)
})

t.test('contacts are in the order of their creation', async (t) => {
  const { alice } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const other = await makeSupplier(alice)
  const ids = [await makeContact(alice, supplierId), await makeContact(alice, supplierId, { name: 'Ann' })]
  await makeContact(alice, other)
  const contacts: { id: number }[] = await contactsOf(alice, supplierId)
  t.strictSame(
    contacts.map(({ id }) => id),
    ids,
  )
})

t.test('the API names values out of range', async (t) => {
  const { alice } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const bad = { name: '', email: 'bob', phone: 'x'.repeat(51), role: 'x'.repeat(101), fax: '1' }
  const answer = await alice.post(`/api/suppliers/${supplierId}/contacts`, bad)
  const { details } = expectFailure(t, answer, 400, 'invalid_request')
  t.strictSame(details?.map(({ path }) => path).sort(), ['/email', '/fax', '/name', '/phone', '/role'])
  t.strictSame(await contactsOf(alice, supplierId), [])
})

t.test('an update changes its fields, and null clears a field', async (t) => {
  const { alice } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const id = await makeContact(alice, supplierId)
  const address = `/api/suppliers/${supplierId}/contacts/${id}`
  const renamed = await alice.put(address, { name: ' Robert ' })
  t.strictSame(renamed.json(), {
    success: true,
    data: { id, supplierId, ...full, name: 'Robert', version: 2 },
  })

  const cleared = { id, supplierId, name: 'Robert', email: '', phone: '', role: '', version: 3 }
  t.strictSame((await alice.put(address, { email: null, phone: '', role: null })).json().data, cleared)
  expectFailure(t, await alice.put(address, { name: null }), 400, 'invalid_request')
  t.strictSame(await contactsOf(alice, supplierId), [cleared])
})

t.test('of two users that change a contact, the second gets stale_version', async (t) => {
  const { alice, mallory } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const id = await makeContact(alice, supplierId)
  const address = `/api/suppliers/${supplierId}/contacts/${id}`
  t.match((await alice.put(address, { phone: '1', version: 1 })).json().data, { phone: '1', version: 2 })
  expectFailure(t, await alice.put(address, { phone: '2', version: 1 }), 409, 'stale_version')
  // the column cannot have this one
  expectFailure(t, await alice.put(address, { phone: '2', version: 2 ** 31 }), 400, 'invalid_request')
  t.match(await contactsOf(alice, supplierId), [{ phone: '1', version: 2 }])
  t.match((await alice.put(address, { phone: '3' })).json().data, { version: 3 }, 'without a version')
  t.match((await alice.put(address, { phone: '3', version: 3 })).json().data, { version: 3 }, 'no change')
  expectFailure(t, await alice.put(address, { version: 0 }), 400, 'invalid_request')
  expectFailure(t, await mallory.put(address, { phone: '4', version: 1 }), 404, 'not_found')
})

t.test('a contact can be deleted', async (t) => {
  const { alice } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const id = await makeContact(alice, supplierId)
  const address = `/api/suppliers/${supplierId}/contacts/${id}`
  const answer = await alice.delete(address)
  t.equal(answer.statusCode, 200)
  t.strictSame(answer.json(), { success: true, data: { message: 'Contact deleted.' } })
  t.strictSame(await contactsOf(alice, supplierId), [])
  expectFailure(t, await alice.delete(address), 404, 'not_found')
  expectFailure(t, await alice.put(address, { name: 'X' }), 404, 'not_found')
})

t.test('a contact is found only with its own supplier', async (t) => {
  const { alice } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const other = await makeSupplier(alice)
  const id = await makeContact(alice, supplierId)
  const otherAddress = `/api/suppliers/${other}/contacts/${id}`
  expectFailure(t, await alice.put(otherAddress, { name: 'X' }), 404, 'not_found')
  expectFailure(t, await alice.delete(otherAddress), 404, 'not_found')
  t.strictSame(await contactsOf(alice, supplierId), [{ id, supplierId, ...full, version: 1 }])
})

t.test('another shop can neither add, change nor delete a contact', async (t) => {
  const { alice, mallory } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const id = await makeContact(alice, supplierId)
  const address = `/api/suppliers/${supplierId}/contacts`
  expectFailure(t, await mallory.post(address, full), 404, 'not_found')
  expectFailure(t, await mallory.put(`${address}/${id}`, { name: 'X' }), 404, 'not_found')
  expectFailure(t, await mallory.delete(`${address}/${id}`), 404, 'not_found')
  t.strictSame(await contactsOf(alice, supplierId), [{ id, supplierId, ...full, version: 1 }])
})

t.test('deleting a supplier deletes its contacts', async (t) => {
  const { alice } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const id = await makeContact(alice, supplierId)
  await alice.delete(`/api/suppliers/${supplierId}`)
  expectFailure(t, await alice.post(`/api/suppliers/${supplierId}/contacts`, full), 404, 'not_found')
  expectFailure(t, await alice.put(`/api/suppliers/${supplierId}/contacts/${id}`, full), 404, 'not_found')
})

t.test('the contacts of an archived supplier cannot change', async (t) => {
  const { alice } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const id = await makeContact(alice, supplierId)
  await makeOrder(alice, { supplierId })
  await alice.delete(`/api/suppliers/${supplierId}`)
  expectFailure(t, await alice.post(`/api/suppliers/${supplierId}/contacts`, full), 404, 'not_found')
  expectFailure(t, await alice.put(`/api/suppliers/${supplierId}/contacts/${id}`, full), 404, 'not_found')
  expectFailure(t, await alice.delete(`/api/suppliers/${supplierId}/contacts/${id}`), 404, 'not_found')
})
