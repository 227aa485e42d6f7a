import { randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import { orderBody } from '../platform/webhooks.ts'

/** Personal data of an invented customer; a test that finds one of these words has found a leak. */
export const personalWords = [
  'Ottilie',
  'Brackenbury-Vane',
  'ottilie@customer.example',
  '+44 20 7946 0991',
  '7 Halfmoon Yard',
  'Nether Wallop',
  'ZZ9 9ZZ',
  '2001:db8::991',
  'Leave it with the neighbour at no. 9',
] as const

const [first_name, last_name, email, phone, address1, city, zip, browser_ip, note] = personalWords
const address = { first_name, last_name, name: `${first_name} ${last_name}`, phone, address1, city, zip }

/** The whole body of an order, as a platform sends it that was not asked for fields. */
export const wholeOrder = (id: number | string, variant: number | null = 1) => {
  const { line_items, ...order } = orderBody(id, [[Number(id), variant, 2]])
  return {
    email,
    contact_email: email,
    phone,
    browser_ip,
    client_details: { browser_ip, user_agent: first_name },
    note,
    note_attributes: [{ name: 'gift for', value: last_name }],
    ...order,
    name: '#1001',
    customer: { id: 991, ...address, email, default_address: address },
    billing_address: address,
    shipping_address: address,
    line_items: line_items.map((line) => ({
      ...line,
      properties: [{ name: 'Engraving', value: first_name }],
      tax_lines: [{ title: last_name }],
    })),
    refunds: [{ note, transactions: [{ receipt: { payer: email } }] }],
    fulfillments: [{ destination: address }],
  }
}

/** Stores a delivery as the release before this one did: the whole body. Returns its id. */
export function makeWholeDelivery(
  db: Db,
  shopId: number,
  body: unknown,
  { topic = 'ORDERS_CREATE', state = 'received' }: { topic?: string; state?: string } = {},
): Promise<number> {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return db.oneFirst(sql.typeAlias('id')`
    insert into webhook_delivery (shop_id, topic, webhook_id, payload, state, settled_at)
    values (
      ${shopId}, ${topic}, ${randomUUID()}, ${sql.binary(bytes)}, ${state},
      case when ${state} <> 'received' then now() end
    )
    returning id
  `)
}

const Table = Type.Object({ schema: Type.String(), name: Type.String() })
const Text = Type.Object({ text: Type.String() })

/**
 * All rows of all tables as text, as in a dump of the database, with each `bytea` value also as text. A dump has the
 * same values: it copies each row in this form.
 */
export async function dumpOf(db: Db): Promise<string> {
  const tables = await db.any(sql.type(row(Table))`
    select table_schema as schema, table_name as name
    from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
  `)
  const texts: string[] = []
  for (const { schema, name } of tables) {
    const table = sql.identifier([schema, name])
    texts.push(...(await db.anyFirst(sql.type(row(Text))`select t::text as text from ${table} t`)))
    const columns = await db.anyFirst(sql.type(row(Text))`
      select column_name as text
      from information_schema.columns
      where table_schema = ${schema} and table_name = ${name} and data_type = 'bytea'
    `)
    for (const column of columns) {
      const value = sql.identifier([column])
      texts.push(
        ...(await db.anyFirst(sql.type(row(Text))`select encode(${value}, 'escape') as text from ${table}`)),
      )
    }
  }
  return texts.join('\n')
}

/** The words that occur in a text, also in the form of `bytea` in a dump. */
export const wordsIn = (words: readonly string[], text: string): string[] =>
  words.filter((word) => text.includes(word) || text.includes(Buffer.from(word).toString('hex')))
