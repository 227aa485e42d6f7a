import { createHash, randomBytes } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import type { GrantedToken } from '../../../platform/code-exchange.ts'
import { enqueue, jobKey } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import type { TokenCipher } from '../../../token-cipher.ts'
import { resumeCostPushes } from '../../ledgers/cost-pushes/request.ts'
import { startKnowingSales } from '../../ledgers/sales/reading.ts'
import { resumePushes } from '../../ledgers/stock/push.ts'
import { storeCredential } from '../../records/shops/credentials.ts'
import { createSettings } from '../../records/shops/settings.ts'
import { lockInstalledShop } from '../../records/shops/shops.ts'
import { startSync } from '../sync/sync.ts'

const lifetime = '10 minutes'

/** Starts an installation: returns a random state, which the platform sends back with the code. */
export async function startInstallation(db: Db, shopDomain: string): Promise<string> {
  const state = randomBytes(32).toString('hex')
  await db.query(sql.typeAlias('void')`
    with expired as (
      delete from oauth_state where created_at < now() - ${lifetime}::interval
    )
    insert into oauth_state (state_hash, shop_domain) values (${hash(state)}, ${shopDomain})
  `)
  return state
}

/** Deletes the state. Returns whether it was created for this shop within the last ten minutes. */
export async function consumeInstallationState(db: Db, shopDomain: string, state: string): Promise<boolean> {
  const isValid = await db.maybeOneFirst(sql.type(row(Type.Object({ isValid: Type.Boolean() })))`
    delete from oauth_state
    where state_hash = ${hash(state)}
    returning shop_domain = ${shopDomain} and created_at > now() - ${lifetime}::interval as is_valid
  `)
  return isValid === true
}

/** One transaction, with the first jobs. After an uninstall, the shop gets a new row without the old data. */
export function installShop(
  db: Db,
  cipher: TokenCipher,
  shopDomain: string,
  granted: GrantedToken,
): Promise<{ id: number }> {
  return db.transaction(async (tx) => {
    const sealed = cipher.seal(granted.access_token, shopDomain)
    const refresh = granted.refresh_token ? cipher.seal(granted.refresh_token, shopDomain) : null
    // first the credential, then the shop: the order of an uninstall
    const known = await tx.maybeOne(sql.typeAlias('id')`
      select id from shop where domain = ${shopDomain} and uninstalled_at is null
    `)
    if (known) await lockInstalledShop(tx, known.id, { isEnding: true })
    const { id } = await tx.one(sql.typeAlias('id')`
      insert into shop (domain) values (${shopDomain})
      on conflict (domain) where uninstalled_at is null do update set installed_at = excluded.installed_at
      returning id
    `)
    const expiresIn = granted.expires_in ?? null
    await storeCredential(tx, id, {
      accessToken: sealed,
      refreshToken: refresh,
      expiresIn,
      scopes: granted.scope ?? '',
    })
    await createSettings(tx, id)
    await startKnowingSales(tx, id, new Date().toISOString())
    await startSync(tx, id, 'installation')
    await resumePushes(tx, id)
    await resumeCostPushes(tx, id)
    const { repairWebhookSubscriptions: job } = jobs
    await enqueue(tx, job, { shopId: id }, { key: jobKey(job, id) })
    return { id }
  })
}

const hash = (state: string) => sql.binary(createHash('sha256').update(state).digest())
