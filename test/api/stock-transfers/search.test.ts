import t, { type Test } from 'tap'
import { startApp } from '../../support/core/app.ts'
import { expectLimits, expectPaged, searchOf } from '../../support/core/searches.ts'
import { item, locationGid, makeStock, makeTransfer } from '../../support/make/stock.ts'

const list = '/api/stock-transfers'
const found = searchOf(list)

/** Three transfers between three locations, each of another product; another shop has the same. */
async function start(t: Test) {
  const { db, alice, mallory } = await startApp(t)
  const third = locationGid(3)
  const make = async (person: typeof alice) => {
    await makeStock(db, person, { variants: 3, locations: 3 })
    return {
      wool: await makeTransfer(person, { items: [item(1, 1)], notes: '100% wool' }),
      van: await makeTransfer(person, {
        ...{ destinationLocationId: third, items: [item(2, 1)], notes: 'Van_B' },
      }),
      back: await makeTransfer(person, { sourceLocationId: third, items: [item(3, 1), item(1, 1)] }),
    }
  }
  return { alice, mallory, ...(await make(alice)), others: await make(mallory) }
}

t.test('transfers are searched by number, notes, both locations and products, newest first', async (t) => {
  const { alice, wool, van, back } = await start(t)
  t.strictSame(await found(alice, `#${van}`), [van])
  t.strictSame(await found(alice, ' WOOL '), [wool], 'notes')
  t.strictSame(await found(alice, 'place 1'), [van, wool], 'the source')
  t.strictSame(await found(alice, 'place 2'), [back, wool], 'the destination')
  t.strictSame(await found(alice, 'Place 3'), [back, van], 'the source and the destination')
  t.strictSame(await found(alice, 'mug 2'), [van], 'a product title')
  t.strictSame(await found(alice, 'size 3'), [back], 'a variant title')
  t.strictSame(await found(alice, 'sku-1'), [back, wool], 'a SKU, once for each transfer')
  t.strictSame(await found(alice, '002'), [van], 'a barcode')
  t.strictSame(await found(alice, 'nothing'), [])
  t.strictSame(await found(alice, ' '), [back, van, wool], 'a blank search is none')
  t.strictSame(await found(alice, 'sku-1', '&status=completed'), [], 'filters hold with the search')
})

t.test('wildcard characters in the search of transfers are characters', async (t) => {
  const { alice, wool, van } = await start(t)
  t.strictSame(await found(alice, '%'), [wool])
  t.strictSame(await found(alice, '_'), [van])
  t.strictSame(await found(alice, 'p%1'), [])
  t.strictSame(await found(alice, 'sku_1'), [])
  t.strictSame(await found(alice, '\\'), [])
})

t.test('the search of transfers is paged and limited', async (t) => {
  const { alice, wool, back } = await start(t)
  await expectPaged(t, alice, { list, search: 'place 2', expected: [back, wool] })
  await expectLimits(t, alice, list)
})

t.test('the search finds no transfer of another shop', async (t) => {
  const { alice, mallory, wool, others } = await start(t)
  t.strictSame(await found(mallory, 'wool'), [others.wool])
  t.strictSame(await found(mallory, 'sku-2'), [others.van])
  t.strictSame(await found(mallory, 'place 3'), [others.back, others.van])
  t.strictSame(await found(mallory, `#${wool}`), [])
  t.strictSame(await found(alice, `#${others.wool}`), [])
})
