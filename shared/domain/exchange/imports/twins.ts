import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'
import type { SupplierTwin } from '../../../schemas/imports.ts'
import { findImport } from './imports.ts'

const Named = Type.Object({ id: Id, name: Type.String(), email: Type.String(), isNew: Type.Boolean() })
const maxListed = 200

const legalForms =
  /\b(ltd|limited|inc|incorporated|llc|plc|corp|corporation|co|company|gmbh|ag|kg|bv|nv|sa|sarl|srl|spa|pty|oy|ab|as)\b/g

/** "Acme, Ltd." and "ACME" have one key. */
const keyOf = (name: string) => {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mark}/gu, '')
    .replaceAll('&', ' and ')
    .replace(/[.']/g, '')
  const words = plain.replace(/[^\p{Letter}\p{Number}]+/gu, ' ')
  return words.replace(legalForms, ' ').replace(/ +/g, '') || words.replace(/ +/g, '')
}

/**
 * Suppliers that the import added and that may be the same as another listed one: their names differ in case, punctuation or
 * legal form only, or they have the same e-mail address. At most 200. Throws not_found.
 */
export async function listSupplierTwins(db: Db, shopId: number, importId: number): Promise<SupplierTwin[]> {
  await findImport(db, shopId, importId)
  const suppliers = await db.any(sql.type(row(Named))`
    select s.id, s.name, s.email, t.target_id is not null as is_new
    from supplier s
    left join import_target t on t.shop_id = ${shopId} and t.import_id = ${importId} and t.target = 'supplier'
      and t.target_id = s.id
    where s.shop_id = ${shopId} and s.archived_at is null
    order by s.id
  `)
  const twinOf = new Map<number, number>()
  const group = (key: (supplier: (typeof suppliers)[number]) => string) => {
    for (const [name, own] of Map.groupBy(suppliers, key)) {
      if (name === '' || own.length < 2) continue
      // the older supplier stays; one from before the import comes first
      const into = own.find(({ isNew }) => !isNew) ?? own[0]
      for (const { id, isNew } of own)
        if (into && isNew && id !== into.id && !twinOf.has(id)) twinOf.set(id, into.id)
    }
  }
  group(({ name }) => keyOf(name))
  group(({ email }) => email.toLowerCase())
  const nameOf = new Map(suppliers.map(({ id, name }) => [id, name]))
  return [...twinOf]
    .slice(0, maxListed)
    .map(([id, twinId]) => ({ id, name: nameOf.get(id) ?? '', twinId, twinName: nameOf.get(twinId) ?? '' }))
}
