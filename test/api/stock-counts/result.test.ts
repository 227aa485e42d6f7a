import t, { type Test } from 'tap'
import { startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { counted, makeCount, makeStock, readCount, readLevels, shareItem } from '../../support/make/stock.ts'

/** A shop with `available` units of each of three variants; the first costs 5.00, the second 2.00. */
async function start(t: Test, available = 10) {
  const context = await startApp(t)
  await makeStock(context.db, context.alice, { variants: 3, available })
  await setCost(context.alice, 1, 5)
  await setCost(context.alice, 2, 2)
  return context
}

const setCost = (person: Person, number: number, unitCost: number | null) =>
  person.put(`/api/variants/${number}`, { unitCost })
const submit = (person: Person, id: number) => person.put(`/api/stock-counts/${id}`, { status: 'submitted' })

t.test('variances are in pieces and in money, and the result keeps its cost', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeCount(alice, { items: [counted(1, 8), counted(2, 11), counted(3, null)] })
  t.match(await readCount(alice, id), { varianceValue: null, accuracy: null, accuracyByValue: null })
  await readLevels(db, alice)
  const result = {
    varianceValue: -8,
    absoluteVarianceValue: 12,
    accuracy: 0.85,
    accuracyByValue: 0.8286,
    uncostedItemCount: 0,
    items: [
      { variance: -2, unitCost: 5, varianceValue: -10 },
      { variance: 1, unitCost: 2, varianceValue: 2 },
      { variance: null, unitCost: null, varianceValue: null },
    ],
  }
  t.match(await readCount(alice, id), result)
  t.match((await submit(alice, id)).json().data, result)
  await setCost(alice, 1, 100)
  t.match(await readCount(alice, id), result, 'a later cost does not change the result')
  t.match((await alice.get('/api/stock-counts')).json().data, [{ id, varianceValue: -8, accuracy: 0.85 }])
})

t.test('a product of unknown cost is in the pieces and not in the money', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeCount(alice, { items: [counted(1, 9), counted(3, 5)] })
  await readLevels(db, alice)
  t.match(await readCount(alice, id), {
    varianceValue: -5,
    accuracy: 0.7,
    accuracyByValue: 0.9,
    uncostedItemCount: 1,
    items: [{ varianceValue: -5 }, { unitCost: null, varianceValue: null }],
  })
  const unknown = await makeCount(alice, { items: [counted(3, 5)] })
  await readLevels(db, alice)
  t.match(await readCount(alice, unknown), { varianceValue: null, accuracy: 0.5, accuracyByValue: null })
})

t.test('variants that share an inventory item are in the sums once', async (t) => {
  const { db, alice } = await start(t)
  await shareItem(db, alice, [3, 2])
  const id = await makeCount(alice, { items: [counted(3, 8), counted(2, 8), counted(1, 9)] })
  await readLevels(db, alice)
  const sums = { varianceValue: -9, absoluteVarianceValue: 9, accuracy: 0.85, uncostedItemCount: 0 }
  const items = [{ variance: -2 }, { variance: -2, varianceValue: -4 }, { varianceValue: -5 }]
  t.match(await readCount(alice, id), { ...sums, items })
  t.match((await submit(alice, id)).json().data, sums)
  t.match((await alice.get('/api/stock-counts')).json().data, [{ id, varianceValue: -9, accuracy: 0.85 }])
  t.match((await alice.get('/api/reports/count-accuracy')).json().data, [
    { expectedPieces: 20, variancePieces: 3, varianceValue: -9, uncostedItemCount: 0 },
  ])
})

t.test('accuracy is never below 0, and of nothing expected 1 or 0', async (t) => {
  const { db, alice } = await start(t, 0)
  const nothing = await makeCount(alice, { items: [counted(1, 0)] })
  const some = await makeCount(alice, { items: [counted(2, 3)] })
  const empty = await makeCount(alice, { items: [counted(1, null)] })
  await readLevels(db, alice)
  t.match(await readCount(alice, nothing), { accuracy: 1, accuracyByValue: 1 })
  t.match(await readCount(alice, some), { accuracy: 0, accuracyByValue: 0, varianceValue: 6 })
  t.match(await readCount(alice, empty), { accuracy: null, accuracyByValue: null, varianceValue: null })
  const full = await start(t)
  const thrice = await makeCount(full.alice, { items: [counted(1, 30)] })
  await readLevels(full.db, full.alice)
  t.match(await readCount(full.alice, thrice), { accuracy: 0 }, '1 - 20 / 10')
})
