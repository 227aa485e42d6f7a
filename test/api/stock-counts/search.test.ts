import t, { type Test } from 'tap'
import { startApp } from '../../support/core/app.ts'
import { expectLimits, expectPaged, searchOf } from '../../support/core/searches.ts'
import { counted, locationGid, makeCount, makeStock } from '../../support/make/stock.ts'

const list = '/api/stock-counts'
const found = searchOf(list)

/** Three counts at two locations, each of another product; another shop has the same. */
async function start(t: Test) {
  const { db, alice, mallory } = await startApp(t)
  const make = async (person: typeof alice) => {
    await makeStock(db, person, { variants: 3, locations: 2 })
    return {
      shelf: await makeCount(person, { items: [counted(1, 5)], notes: 'Shelf 100%' }),
      rack: await makeCount(person, {
        ...{ locationId: locationGid(2), items: [counted(2, 5), counted(1, null)], notes: 'rack_B' },
      }),
      empty: await makeCount(person, { notes: 'First line\nsecond line' }),
    }
  }
  return { alice, mallory, ...(await make(alice)), others: await make(mallory) }
}

t.test('counts are searched by number, notes, location and products, newest first', async (t) => {
  const { alice, shelf, rack, empty } = await start(t)
  t.strictSame(await found(alice, `#${rack}`), [rack])
  t.strictSame(await found(alice, ' SHELF '), [shelf], 'notes')
  t.strictSame(await found(alice, 'second'), [empty], 'another line of the notes')
  t.strictSame(await found(alice, 'place 1'), [empty, shelf], 'a location')
  t.strictSame(await found(alice, 'Place 2'), [rack])
  t.strictSame(await found(alice, 'mug 2'), [rack], 'a product title')
  t.strictSame(await found(alice, 'size 1'), [rack, shelf], 'a variant title, counted or not')
  t.strictSame(await found(alice, 'sku-2'), [rack], 'a SKU')
  t.strictSame(await found(alice, '001'), [rack, shelf], 'a barcode')
  t.strictSame(await found(alice, 'nothing'), [])
  t.strictSame(await found(alice, ' '), [empty, rack, shelf], 'a blank search is none')
  t.strictSame(await found(alice, 'sku-1', '&status=submitted'), [], 'filters hold with the search')
})

t.test('wildcard characters in the search of counts are characters', async (t) => {
  const { alice, shelf, rack } = await start(t)
  t.strictSame(await found(alice, '%'), [shelf])
  t.strictSame(await found(alice, '_'), [rack])
  t.strictSame(await found(alice, 'p%1'), [])
  t.strictSame(await found(alice, 'sku_1'), [])
  t.strictSame(await found(alice, '\\'), [])
})

t.test('the search of counts is paged and limited', async (t) => {
  const { alice, shelf, empty } = await start(t)
  await expectPaged(t, alice, { list, search: 'place 1', expected: [empty, shelf] })
  await expectLimits(t, alice, list)
})

t.test('the search finds no count of another shop', async (t) => {
  const { alice, mallory, shelf, others } = await start(t)
  t.strictSame(await found(mallory, 'shelf'), [others.shelf])
  t.strictSame(await found(mallory, 'sku-2'), [others.rack])
  t.strictSame(await found(mallory, 'place 2'), [others.rack])
  t.strictSame(await found(mallory, `#${shelf}`), [])
  t.strictSame(await found(alice, `#${others.shelf}`), [])
})
