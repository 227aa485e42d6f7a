import t, { type Test } from 'tap'
import { planOf, recordStatements } from '../../../dev/postgres/statements.ts'
import { sql } from '../../../shared/db/db.ts'
import { listPastAdjustments } from '../../../shared/domain/documents/past-adjustments/past-adjustments.ts'
import { upsertProducts } from '../../../shared/domain/exchange/sync/upsert-products.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { useOwnDatabase } from '../../support/core/database.ts'
import { type Person, readPages } from '../../support/core/people.ts'
import { expectLimits, expectPaged, searchOf } from '../../support/core/searches.ts'
import { gidOf, product, variant } from '../../support/make/catalogue.ts'
import { makeImport } from '../../support/make/imports.ts'

useOwnDatabase()

const list = '/api/past-adjustments'
const found = searchOf(list)

/** An adjustment of each of three variants, a day apart; another shop has the same. */
async function start(t: Test) {
  const { db, alice, mallory } = await startApp(t)
  const make = async (person: Person) => {
    const { shopId } = person
    await upsertProducts(db, shopId, [
      product(1, [variant(1)]),
      product(2, [variant(2, { title: '100% wool' })], { title: 'Scarf' }),
      product(3, [variant(3, { sku: 'CUP_9', barcode: '4006381333931' })], { title: 'Scarf ring' }),
    ])
    const importId = await makeImport(person, db, 'done')
    const insert = (number: number) =>
      db.oneFirst(sql.typeAlias('id')`
        insert into past_adjustment (shop_id, import_id, variant_id, adjusted_at, quantity, fingerprint, reason, notes)
        select ${shopId}, ${importId}, id, timestamptz '2024-02-01' + ${number} * interval '1 day', 3, sha256(gid::bytea),
          'Damaged', 'by hand'
        from variant
        where shop_id = ${shopId} and gid = ${gidOf('ProductVariant', number)}
        returning id
      `)
    return { mug: await insert(1), scarf: await insert(2), ring: await insert(3) }
  }
  return { db, alice, mallory, ...(await make(alice)), others: await make(mallory) }
}

t.test('past adjustments are searched by title, SKU and barcode, newest first', async (t) => {
  const { alice, mug, scarf, ring } = await start(t)
  t.strictSame(await found(alice, ' SCARF '), [ring, scarf], 'a product title')
  t.strictSame(await found(alice, 'size 1'), [mug], 'a variant title')
  t.strictSame(await found(alice, 'sku-2'), [scarf], 'a SKU')
  t.strictSame(await found(alice, '4006381333931'), [ring], 'a barcode')
  t.strictSame(await found(alice, 'damaged'), [], 'neither the reason')
  t.strictSame(await found(alice, 'by hand'), [], 'nor the notes')
  t.strictSame(await found(alice, ' '), [ring, scarf, mug], 'a blank search is none')
  t.strictSame(await found(alice, 'scarf', '&endDate=2024-02-03'), [scarf], 'filters hold with the search')
})

t.test('wildcard characters in the search of past adjustments are characters', async (t) => {
  const { alice, scarf, ring } = await start(t)
  t.strictSame(await found(alice, '%'), [scarf])
  t.strictSame(await found(alice, '_'), [ring])
  t.strictSame(await found(alice, 's%f'), [])
  t.strictSame(await found(alice, 'sku_2'), [])
  t.strictSame(await found(alice, '\\'), [])
})

t.test('the search of past adjustments is paged and limited', async (t) => {
  const { alice, scarf, ring } = await start(t)
  await expectPaged(t, alice, { list, search: 'scarf', expected: [ring, scarf] })
  await expectLimits(t, alice, list)
})

t.test('past adjustments are listed oldest first, too, in pages and by the index', async (t) => {
  const { db, alice, mug, scarf, ring } = await start(t)
  for (const limit of [1, 2, 3]) {
    t.strictSame((await readPages(alice, `${list}?sort=oldest&limit=${limit}`)).flat(), [mug, scarf, ring])
    t.strictSame((await readPages(alice, `${list}?sort=newest&limit=${limit}`)).flat(), [ring, scarf, mug])
  }
  t.strictSame(await found(alice, 'scarf', '&sort=oldest&limit=1'), [scarf, ring], 'with a search')
  expectFailure(t, await alice.get(`${list}?sort=product`), 400, 'invalid_request')
  await db.query(sql.typeAlias('void')`
    insert into past_adjustment (shop_id, import_id, variant_id, adjusted_at, quantity, fingerprint)
    select a.shop_id, a.import_id, a.variant_id, a.adjusted_at + n * interval '1 minute', 1, sha256(n::text::bytea)
    from past_adjustment a
    cross join generate_series(1, 5000) n
    where a.shop_id = ${alice.shopId} and a.id = ${mug}
  `)
  await db.query(sql.typeAlias('void')`analyze past_adjustment`)
  const { db: recorded, statements } = recordStatements(db)
  const { next } = await listPastAdjustments(recorded, alice.shopId, { sort: 'oldest', limit: 50 })
  await listPastAdjustments(recorded, alice.shopId, { sort: 'oldest', limit: 50, cursor: String(next) })
  t.equal(statements.length, 2)
  for (const statement of statements) {
    const plan = await planOf(db, statement)
    t.match(plan, /Index Scan Backward using past_adjustment_newest\b/, plan)
  }
})

t.test('the search finds no past adjustment of another shop', async (t) => {
  const { mallory, others } = await start(t)
  t.strictSame(await found(mallory, 'scarf'), [others.ring, others.scarf])
  t.strictSame(await found(mallory, 'sku-1'), [others.mug])
})
