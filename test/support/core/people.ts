import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { mintSessionToken } from '../../../dev/simulator/session-token.ts'
import { type Db, sql } from '../../../shared/db/db.ts'
import { createTokenCipher } from '../../../shared/token-cipher.ts'
import { testAccessToken, testKeys } from './database.ts'

type Body = NonNullable<InjectOptions['payload']>
type Response = Promise<LightMyRequestResponse>
type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'TRACE'

/** A user of the admin with their own shop. */
export type Person = {
  shopId: number
  shopDomain: string
  userId: string
  token: string
  get: (url: string, headers?: Record<string, string>) => Response
  post: (url: string, body?: Body) => Response
  put: (url: string, body?: Body) => Response
  delete: (url: string) => Response
  /** Sends any other request as this person. */
  send: (method: Method, url: string, body?: Body, headers?: Record<string, string>) => Response
}

let shops = 0

/** Makes a shop with the app installed and its webhook subscriptions checked just now. */
export async function makeShop(db: Db, name: string): Promise<{ shopId: number; shopDomain: string }> {
  shops += 1
  const shopDomain = `${name}-${process.pid}-${shops}.myshop.example`
  const { id } = await db.one(
    sql.typeAlias('id')`insert into shop (domain) values (${shopDomain}) returning id`,
  )
  const sealed = createTokenCipher(testKeys).seal(testAccessToken, shopDomain)
  await db.query(sql.typeAlias('void')`
    insert into shop_credential (shop_id, access_token) values (${id}, ${sealed})
  `)
  await db.query(sql.typeAlias('void')`
    insert into webhook_subscription_check (shop_id, checked_at, is_complete, requested_at) values (${id}, now(), true, now())
  `)
  return { shopId: id, shopDomain }
}

export async function makePerson(app: FastifyInstance, db: Db, name: string): Promise<Person> {
  return personOf(app, await makeShop(db, name), name)
}

/** Another user of the same shop. */
export const makeColleague = (
  app: FastifyInstance,
  { shopId, shopDomain }: Person,
  name: string,
): Promise<Person> => personOf(app, { shopId, shopDomain }, name)

async function personOf(
  app: FastifyInstance,
  { shopId, shopDomain }: Pick<Person, 'shopId' | 'shopDomain'>,
  name: string,
): Promise<Person> {
  const userId = `${name}-1`
  const token = await mintSessionToken({
    shop: shopDomain,
    apiKey: testKeys.PLATFORM_API_KEY,
    apiSecret: testKeys.PLATFORM_API_SECRET,
    userId,
    lifetimeSeconds: 7_200,
  })
  const send: Person['send'] = (method, url, body, headers) =>
    app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body !== undefined && { payload: body }),
    })
  return {
    shopId,
    shopDomain,
    userId,
    token,
    get: (url, headers) => send('GET', url, undefined, headers),
    post: (url, body) => send('POST', url, body),
    put: (url, body) => send('PUT', url, body),
    delete: (url) => send('DELETE', url),
    send,
  }
}

/** Reads the ids of a list page by page, following the `Link` headers. */
export async function readPages(person: Person, address: string): Promise<number[][]> {
  const pages: number[][] = []
  for (let next: string | undefined = address; next !== undefined; ) {
    const response = await person.get(next)
    if (response.statusCode !== 200 || pages.length > 1000) throw new Error(response.body)
    const { data }: { data: { id: number }[] } = response.json()
    pages.push(data.map(({ id }) => id))
    next = /^<(\/[^>]+)>; rel="next"$/.exec(String(response.headers.link))?.[1]
  }
  return pages
}
