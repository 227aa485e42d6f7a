import { Type } from '@sinclair/typebox'
import type { Test } from 'tap'
import { startPlatform } from '../../../dev/simulator/server.ts'
import { row, sql } from '../../../shared/db/db.ts'
import { startSync } from '../../../shared/domain/exchange/sync/sync.ts'
import type { StockChange, StockLine } from '../../../shared/domain/ledgers/stock/changes.ts'
import { moveStock } from '../../../shared/domain/ledgers/stock/move.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { createTokenCipher } from '../../../shared/token-cipher.ts'
import { listen } from '../core/app.ts'
import { testKeys } from '../core/database.ts'
import { instantIn } from '../core/instants.ts'
import { enqueued, startTasks } from '../core/worker.ts'
import { expectLedger, levelsOf } from '../make/stock.ts'
import { startDeliveries } from './webhooks.ts'

const Movement = Type.Object({ kind: Type.String(), delta: Type.Integer() })

let documents = 0

/** A variant and a location by their indexes from 0, and the change of the quantity. */
export type Change = readonly [variant: number, location: number, delta: number]

/**
 * A shop on the platform simulator with the app installed and the catalogue synced. Its updates arrive as signed
 * webhooks over a socket. It has three products with two variants each, at two locations, with 10 units of each.
 */
export async function startSimulatedShop(t: Test, { taxRate = 0 }: { taxRate?: number } = {}) {
  const context = await startDeliveries(t)
  const { app, db, alice } = context
  const { shopId, shopDomain } = alice
  const platform = await startPlatform({
    apiKey: testKeys.PLATFORM_API_KEY,
    apiSecret: testKeys.PLATFORM_API_SECRET,
    serverToken: testKeys.POSTMARK_SERVER_TOKEN,
    retryScale: 0.0001,
    // a fast machine empties a real bucket within one test, and the worker then repeats its jobs later
    throttle: { maximum: 100_000, restoreRate: 10_000 },
    now: instantIn(-3_600_000),
    shops: [{ domain: shopDomain, generated: { products: 3, variantsPerProduct: 2, locations: 2, taxRate } }],
  })
  t.teardown(platform.close)
  const shop = platform.shops.get(shopDomain)
  const sealed = createTokenCipher(testKeys).seal(shop.install(), shopDomain)
  await db.query(sql.typeAlias('void')`
    update shop_credential set access_token = ${sealed} where shop_id = ${shopId}
  `)
  const origin = await listen(app)
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
  await perform(jobs.repairWebhookSubscriptions, { shopId })
  await db.transaction((tx) => startSync(tx, shopId, 'merchant'))
  const catalogSyncId = await db.oneFirst(sql.typeAlias('id')`
    select id from catalog_sync where shop_id = ${shopId} and state = 'running'
  `)
  await perform(jobs.syncCatalog, { shopId, catalogSyncId })

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

  /** Applies all undelivered updates, and reads levels again where the order of changes was unclear. */
  const receiveUpdates = async () => {
    await platform.settled()
    await context.applyAll('INVENTORY_LEVELS_UPDATE')
    for (const product of await enqueued(db, jobs.syncProduct, shopId)) {
      await perform(jobs.syncProduct, product)
    }
  }

  const platformStock = (variant = 0, location = 0) =>
    shop.stockOf(variants[variant] ?? '', locations[location] ?? '')
  /** Our quantity, and the platform's last quantity that we received. */
  const ownLevel = async (variant = 0, location = 0) => {
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
    receiveUpdates,
    platformStock,
    ownLevel,
    /** Changes our stock in one document. */
    change: async (form: StockChange['form'], changes: Change[], fields: Partial<StockLine> = {}) => {
      const lines: StockLine[] = []
      for (const [variant, location, delta] of changes) {
        lines.push({ ...(await idsOf(variant, location)), delta, ...fields })
      }
      const change = {
        kind: form === 'set' ? 'set' : 'delta',
        // of another document each, so that the worker does not join them
        reference: `change/${++documents}`,
        actor: 'alice-1',
        form,
      } as const
      await db.transaction((tx) => moveStock(tx, shopId, change, lines))
    },
    /** Changes stock on the platform, as the merchant does. */
    changeOnPlatform: (delta: number, variant = 0, location = 0) =>
      shop.adjustStock(variants[variant] ?? '', locations[location] ?? '', delta),
    /** Runs `act` before each API request whose document contains `word` is processed, with its count. */
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
    /** The kinds and deltas of a level's movements since the catalogue sync. */
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
    /** Checks that our quantity, the platform's and the ledger's equal `expected`, now and after all updates. */
    expectInSync: async (expected: number, variant = 0, location = 0) => {
      for (const when of ['immediately', 'after all updates']) {
        t.strictSame(
          await ownLevel(variant, location),
          [expected, expected],
          `${expected} in the app, ${when}`,
        )
        t.equal(platformStock(variant, location), expected, `${expected} on the platform, ${when}`)
        await receiveUpdates()
      }
      await expectLedger(t, db, alice)
      const hasDeferred = await db.exists(sql.typeAlias('void')`
        select from stock_level where shop_id = ${shopId} and held_at is not null
      `)
      t.notOk(hasDeferred, 'no update is deferred any more')
    },
  }
}
