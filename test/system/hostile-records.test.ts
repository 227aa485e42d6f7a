import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import t from 'tap'
import { sql } from '../../shared/db/db.ts'
import { startApp } from '../support/core/app.ts'
import { addressOf, listEndpoints } from '../support/core/endpoints.ts'
import { line, makeOrder, makeSupplier } from '../support/make/orders.ts'
import { makeStock } from '../support/make/stock.ts'
import { orderBody, startDeliveries } from '../support/platform/webhooks.ts'

t.test('a PDF makes no requests and has no links, whatever its texts contain', async (t) => {
  const { db, alice } = await startApp(t)
  let visits = 0
  const listener = createServer((socket) => {
    visits += 1
    socket.destroy()
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  t.teardown(() => listener.close())
  const listenerUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  const texts = [
    `${listenerUrl}/picture.png`,
    `<img src="${listenerUrl}/a.png"><script src="${listenerUrl}/a.js"></script>`,
    `![x](${listenerUrl}/b.png)`,
    `url(${listenerUrl}/c.css) @import '${listenerUrl}'`,
    `<!DOCTYPE x [<!ENTITY y SYSTEM "${listenerUrl}/d">]>&y;`,
    `/URI (${listenerUrl}) /Launch /JavaScript (app.alert(1)) /OpenAction`,
  ]
  const supplierId = await makeSupplier(alice, {
    name: texts[0] ?? '',
    notes: texts.join('\n'),
    address: texts.join('\n'),
  })
  const lineItems = texts.map((title, at) => line(at + 1, { title, sku: title.slice(0, 60) }))
  const { id } = await makeOrder(alice, { supplierId, supplierNotes: texts.join('\n'), lineItems })
  await db.query(sql.typeAlias('void')`
    insert into shop_setting (shop_id, company_name, address, phone, email)
    values (${alice.shopId}, ${texts[0] ?? ''}, ${texts.join('\n')}, ${texts[1] ?? ''}, ${texts[2] ?? ''})
  `)
  const response = await alice.get(`/api/purchase-orders/${id}/pdf`)
  t.equal(response.statusCode, 200)
  const bytes = response.rawPayload.toString('latin1')
  t.match(bytes, /^%PDF-/)
  // texts are compressed, but actions and annotations would be readable in the file
  const active = /\/(URI|Launch|JavaScript|JS|OpenAction|AA|GoToR|SubmitForm|EmbeddedFile|Annots|AcroForm)\b/
  t.notMatch(bytes.replaceAll(/stream\r?\n[\s\S]*?endstream/g, ''), active)
  t.equal(visits, 0)
})

t.test('no cell of a CSV export is a formula, whatever character starts it', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 1 })
  for (const begin of ['=', '+', '-', '@', '\t=', '\r=', '\uff1d', '\uff0b', '\uff0d', '\uff20', '="a",=']) {
    await db.query(sql.typeAlias('void')`
      update variant set sku = ${`${begin}HYPERLINK(1)`} where shop_id = ${alice.shopId}
    `)
    const { body } = await alice.get('/api/stock-levels', { accept: 'text/csv' })
    const cell = `'${begin}HYPERLINK(1)`
    t.ok(body.includes(cell) || body.includes(cell.replaceAll('"', '""')), encodeURIComponent(begin))
  }
})

const isClean = () => {
  const fresh: Record<string, unknown> = {}
  return !('polluted' in fresh) && !('polluted' in []) && Object.keys(fresh).length === 0
}

t.test('no query parameter can change an object prototype', async (t) => {
  const { app, alice } = await startApp(t)
  const names = [
    '__proto__',
    '__proto__[polluted]',
    '__proto__.polluted',
    'constructor[prototype][polluted]',
    'constructor',
  ]
  for (const endpoint of await listEndpoints(app)) {
    for (const name of names) {
      const url = addressOf(endpoint, [], `${encodeURIComponent(name)}=1`)
      const { statusCode } = await alice.send(endpoint.method, url)
      t.equal(statusCode, 400, `${endpoint.name}?${name}`)
    }
  }
  const cookie = '__proto__=polluted; constructor=polluted'
  t.equal((await app.inject({ url: '/?__proto__[polluted]=1', headers: { cookie } })).statusCode, 400)
  t.ok(isClean())
})

t.test('no webhook can change an object prototype, and its other content is applied', async (t) => {
  const { deliverAndApply } = await startDeliveries(t)
  const evil = '{"polluted":true}'
  const order = JSON.stringify(orderBody(77, [[1, 1, 1]]))
  const bodies = [
    order.replace('{', `{"__proto__":${evil},`),
    order.replace('{', `{"constructor":{"prototype":${evil}},`),
    order.replace('"line_items":[{', `"line_items":[{"__proto__":${evil},`),
  ]
  for (const body of bodies) t.match(await deliverAndApply('ORDERS_CREATE', body), [{ reason: '' }])
  t.match(await deliverAndApply('ORDERS_CREATE', `{"__proto__":${order}}`), [{ state: 'rejected' }])
  t.ok(isClean())
})
