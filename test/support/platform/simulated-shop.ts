import { Type } from '@sinclair/typebox'
import type { Test } from 'tap'
import { startPlatform } from '../../../dev/simulator/server.ts'
import { row, sql } from '../../../shared/db/db.ts'
import type { StockChange, StockLine } from '../../../shared/domain/stock/changes.ts'
import { moveStock } from '../../../shared/domain/stock/move.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { createTokenCipher } from '../../../shared/token-cipher.ts'
import { testKeys } from '../core/database.ts'
import { enqueued, startTasks } from '../core/worker.ts'
import { expectLedger, levelsOf } from '../make/stock.ts'
import { startDeliveries } from './deliveries.ts'

const Movement = Type.Object({ kind: Type.String(), delta: Type.Integer() })

/** A variant and a location by their numbers from 0, and how many pieces more or fewer. */
export type Change = readonly [variant: number, location: number, delta: number]

/**
 * A shop on the platform simulator that has installed the app: its catalogue is read, its news comes as signed
 * webhooks over a socket. Three products of two variants at two locations, with 10 of each.
 */
export async function startSimulatedShop(t: Test) {
  const context = await startDeliveries(t)
  const { app, db, alice } = context
  const { shopId, shopDomain } = alice
  const platform = await startPlatform({
    apiKey: testKeys.PLATFORM_API_KEY,
    apiSecret: testKeys.PLATFORM_API_SECRET,
    serverToken: testKeys.POSTMARK_SERVER_TOKEN,
    retryScale: 0.0001,
    now: new Date(Date.now() - 3_600_000),
    shops: [{ domain: shopDomain, generated: { products: 3, variantsPerProduct: 2, locations: 2 } }],
  })
  t.teardown(platform.close)
  const shop = platform.shops.get(shopDomain)
  const sealed = createTokenCipher(testKeys).seal(shop.install(), shopDomain)
  await db.query(sql.typeAlias('void')`
    update shop_credential set access_token = ${sealed} where shop_id = ${shopId}
  `)
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const { perform } = await startTasks(t, db, {
    env: {
      APP_URL: origin.replace('127.0.0.1', 'localhost'),
      PLATFORM_GRAPHQL_URL: `${platform.url}/shops/{shop_domain}/admin/api/2026-07/graphql.json`,
    },
  })

  const locations = shop.locations.map(({ id }) => shop.gid('Location', id))
  const variants = [0, 1, 2].flatMap((product) =>
    [0, 1].map((slot) => shop.gid('ProductVariant', shop.catalogue.variantId(product, slot))),
  )
  for (const variant of variants) for (const location of locations) shop.setStock(variant, location, 10)
  const catalogSyncId = await db.oneFirst(sql.typeAlias('id')`
    insert into catalog_sync (shop_id) values (${shopId}) returning id
  `)
  await perform(jobs.syncCatalog, { shopId, catalogSyncId })
  await perform(jobs.repairWebhookSubscriptions, { shopId })

  const { id: lastMovement } = await db.one(sql.typeAlias('id')`
    select max(id) as id from stock_movement where shop_id = ${shopId}
  `)

  const idsOf = async (variant = 0, location = 0) => {
    const variantId = await db.oneFirst(sql.typeAlias('id')`
      select id from variant where shop_id = ${shopId} and gid = ${variants[variant] ?? ''}
    `)
    const locationId = await db.oneFirst(sql.typeAlias('id')`
      select id from location where shop_id = ${shopId} and gid = ${locations[location] ?? ''}
    `)
    return { variantId, locationId }
  }

  /** What is told and not applied yet; where the platform has to say which number was the last, it is asked. */
  const hearNews = async () => {
    await platform.settled()
    await context.applyAll('INVENTORY_LEVELS_UPDATE')
    for (const product of await enqueued(db, jobs.syncProduct, shopId)) {
      await perform(jobs.syncProduct, product)
    }
  }

  const there = (variant = 0, location = 0) =>
    shop.stockOf(variants[variant] ?? '', locations[location] ?? '')
  /** What we show, and what the platform last said to us. */
  const here = async (variant = 0, location = 0) => {
    const digits = (gid = '') => gid.replace(/.*\//, '')
    return (await levelsOf(db, alice))[`${digits(variants[variant])}/${digits(locations[location])}`]
  }

  return {
    ...context,
    platform,
    shop,
    perform,
    variants,
    locations,
    idsOf,
    hearNews,
    there,
    here,
    /** Changes stock here, in one document. */
    change: async (form: StockChange['form'], changes: Change[], more: Partial<StockLine> = {}) => {
      const lines: StockLine[] = []
      for (const [variant, location, delta] of changes) {
        lines.push({ ...(await idsOf(variant, location)), delta, ...more })
      }
      const change = {
        kind: form === 'set' ? 'set' : 'delta',
        reference: '',
        actor: 'alice-1',
        form,
      } as const
      await db.transaction((tx) => moveStock(tx, shopId, change, lines))
    },
    /** Changes stock on the platform, by the merchant's hand there. */
    changeThere: (delta: number, variant = 0, location = 0) =>
      shop.adjustStock(variants[variant] ?? '', locations[location] ?? '', delta),
    /** Does something before the nth request of the API whose document holds a word is answered. */
    beforeRequest: (word: string, act: (count: number) => void) => {
      const next = platform.faults.nextRequest
      let count = 0
      t.intercept(platform.faults, 'nextRequest', {
        value: (domain: string, document: string) => {
          if (document.includes(word)) {
            count += 1
            act(count)
          }
          return next(domain, document)
        },
      })
    },
    /** Why a level moved and how far, since the catalogue was read. */
    movements: async (variant = 0, location = 0) => {
      const { variantId, locationId } = await idsOf(variant, location)
      const rows = await db.any(sql.type(row(Movement))`
        select kind, delta
        from stock_movement
        where shop_id = ${shopId} and variant_id = ${variantId} and location_id = ${locationId} and id > ${lastMovement}
        order by id
      `)
      return rows.map(({ kind, delta }) => `${kind} ${delta}`)
    },
    push: (attempt: Parameters<typeof perform>[2] = {}) => perform(jobs.pushStock, { shopId }, attempt),
    /** Ours, the platform's and the ledger's numbers of a level are this one, now and when all news was heard. */
    expectAgreed: async (wanted: number, variant = 0, location = 0) => {
      for (const when of ['at once', 'after all news']) {
        t.strictSame(await here(variant, location), [wanted, wanted], `${wanted} here, ${when}`)
        t.equal(there(variant, location), wanted, `${wanted} there, ${when}`)
        await hearNews()
      }
      await expectLedger(t, db, alice)
      const isHeld = await db.exists(sql.typeAlias('void')`
        select from stock_level where shop_id = ${shopId} and held_at is not null
      `)
      t.notOk(isHeld, 'no news is kept any more')
    },
  }
}
