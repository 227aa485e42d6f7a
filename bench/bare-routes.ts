import type { DatabasePool, Db } from '../shared/db/db.ts'
import { setStock } from '../shared/domain/stock/adjust.ts'
import type { BareRead, BareWrite, Statement } from './baselines/api-server.ts'
import type { LoadRequest } from './load.ts'
import { record } from './recording.ts'
import type { BenchShop } from './system.ts'

/** A read as the admin asks for it, and the domain function behind it. */
export type Read = {
  what: string
  path: string
  isList: boolean
  work: (db: Db, shopId: number) => Promise<unknown>
}

type Answer = { data: Record<string, unknown> | Record<string, unknown>[] }

/** The statement of a read, made to answer the fields of our body, so that a bare route has nothing left to do. */
export async function toBareRead(
  db: DatabasePool,
  { shopId }: BenchShop,
  { path, isList, work }: Read,
  { data }: Answer,
): Promise<BareRead> {
  const [statement, ...others] = await record(db, (recording) => work(recording, shopId))
  if (!statement || others.length > 0) throw new Error(`${path} is not one statement`)
  const [first = {}] = [data].flat()
  const fields = Object.keys(first).map((field) => `${toColumn(field)} as "${field}"`)
  return { path, isList, text: `select ${fields} from (${statement.text}) answer`, values: statement.values }
}

const toColumn = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export type Write = { own: LoadRequest; bare: BareWrite }

/** Sets every level to another number and back: our requests, and what each of them sends to Postgres. */
export async function recordWrites(
  db: DatabasePool,
  { shopId }: BenchShop,
  path: string,
  ids: { variantIds: readonly string[]; locationId: string },
): Promise<Write[]> {
  const writes: Write[] = []
  for (const quantity of [1_000, 1_001]) {
    for (const variantId of ids.variantIds) {
      const setting = { adjustments: [{ variantId, locationId: ids.locationId, quantity }] }
      let data: unknown
      const statements: Statement[] = await record(db, async (recording) => {
        data = await setStock(recording, shopId, 'bench', setting)
      })
      writes.push({
        own: { method: 'PUT', path, body: JSON.stringify(setting) },
        bare: { path: `/${writes.length}`, statements, body: JSON.stringify({ success: true, data }) },
      })
    }
  }
  return writes
}
