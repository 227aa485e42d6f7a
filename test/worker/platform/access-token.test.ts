import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../shared/db/db.ts'
import { TokenRevokedError } from '../../../shared/platform/errors.ts'
import { Nullable } from '../../../shared/schemas/common.ts'
import { createTokenCipher } from '../../../shared/token-cipher.ts'
import { createAccessTokens } from '../../../worker/platform/access-token.ts'
import { openTestDb, testKeys } from '../../support/core/database.ts'
import { deadline } from '../../support/core/machine.ts'
import { makeShop } from '../../support/core/people.ts'
import { interceptRequests } from '../../support/platform/intercept.ts'

const Stored = Type.Object({
  accessToken: Type.String(),
  refreshToken: Nullable(Type.String()),
  minutesLeft: Nullable(Type.Integer()),
  isHeld: Type.Boolean(),
  isRevoked: Type.Boolean(),
})

type Renewal = { status: number; body: unknown; afterMs?: number }

/** A shop with an expiring token, and a mocked platform that renews it. */
async function start(t: Test, secondsLeft: number | null) {
  const { db, config } = await openTestDb(t)
  const { shopId, shopDomain } = await makeShop(db, 'alice')
  const cipher = createTokenCipher(testKeys)
  await db.query(sql.typeAlias('void')`
    update shop_credential
    set access_token = ${cipher.seal('old-token', shopDomain)},
      refresh_token = ${cipher.seal('refresh-1', shopDomain)},
      expires_at = now() + make_interval(secs => ${secondsLeft}::float8)
    where shop_id = ${shopId}
  `)
  const renewalRequests: unknown[] = []
  const renewals: Renewal[] = []
  interceptRequests(t)(`https://${shopDomain}`)
    .persist()
    .post('/admin/oauth/access_token')
    .reply(async (request: Request) => {
      renewalRequests.push(JSON.parse(await request.text()))
      const {
        status,
        body,
        afterMs = 0,
      } = renewals.shift() ?? { status: 400, body: { error: 'invalid_request' } }
      await sleep(afterMs)
      return [status, JSON.stringify(body)]
    })
  const open = createAccessTokens(config, db, (ms) => sleep(Math.min(ms, 20)))
  return {
    db,
    shopId,
    renewalRequests,
    renewals,
    open: () => open(shopId, AbortSignal.timeout(deadline(60_000))),
    keepLock: (seconds: number) =>
      db.query(sql.typeAlias('void')`
        update shop_credential set refreshing_until = now() + make_interval(secs => ${seconds}::float8)
        where shop_id = ${shopId}
      `),
    stored: async () => {
      const { accessToken, refreshToken, ...rest } = await db.one(sql.type(row(Stored))`
        select access_token, refresh_token, round(extract(epoch from expires_at - now()) / 60) as minutes_left,
          refreshing_until > now() is true as is_held, revoked_at is not null as is_revoked
        from shop_credential where shop_id = ${shopId}
      `)
      return {
        ...rest,
        accessToken: cipher.open(accessToken, shopDomain),
        refreshToken: refreshToken && cipher.open(refreshToken, shopDomain),
      }
    },
  }
}

const renewed = (number: number, afterMs = 0): Renewal => ({
  status: 200,
  body: { access_token: `token-${number}`, refresh_token: `refresh-${number}`, expires_in: 3600, scope: 'a' },
  afterMs,
})

t.test('a token that does not expire soon is not renewed', async (t) => {
  for (const secondsLeft of [null, 3600]) {
    const { renewalRequests, open } = await start(t, secondsLeft)
    t.match(await open(), { token: 'old-token' })
    t.strictSame(renewalRequests, [])
  }
})

t.test('one process renews a token that expires soon, and the others wait for it', async (t) => {
  const { renewalRequests, renewals, open, stored } = await start(t, 200)
  renewals.push(renewed(2, 150))
  for (const { token } of await Promise.all([open(), open(), open(), open()])) t.equal(token, 'token-2')
  t.strictSame(renewalRequests, [
    {
      client_id: testKeys.PLATFORM_API_KEY,
      client_secret: testKeys.PLATFORM_API_SECRET,
      grant_type: 'refresh_token',
      refresh_token: 'refresh-1',
    },
  ])
  t.strictSame(await stored(), {
    accessToken: 'token-2',
    refreshToken: 'refresh-2',
    minutesLeft: 60,
    isHeld: false,
    isRevoked: false,
  })
})

t.test('a crash during the renewal delays other processes only for a limited time', async (t) => {
  const { renewalRequests, renewals, keepLock, open } = await start(t, 200)
  renewals.push(renewed(2))
  await keepLock(0.3)
  t.match(await open(), { token: 'token-2' })
  t.equal(renewalRequests.length, 1)
})

t.test('a failed renewal has no effect while the token is valid', async (t) => {
  const { renewals, open, stored } = await start(t, 200)
  for (const failure of [
    { status: 400, body: { error: 'invalid_request' } },
    { status: 500, body: '' },
    { status: 200, body: { nothing: true } },
  ]) {
    renewals.push(failure)
    t.match(await open(), { token: 'old-token' })
    t.match(await stored(), { accessToken: 'old-token', isHeld: false, isRevoked: false })
  }
})

t.test(
  'an expired token that cannot be renewed is revoked, or retried when the platform is unavailable',
  async (t) => {
    const { renewals, open, stored } = await start(t, -60)
    renewals.push({ status: 503, body: '' })
    t.match(await open().catch((error: unknown) => error), { kind: 'unavailable' })
    t.match(await stored(), { isHeld: false, isRevoked: false })
    t.ok((await open().catch((error: unknown) => error)) instanceof TokenRevokedError)
    t.match(await stored(), { isRevoked: true })
  },
)
