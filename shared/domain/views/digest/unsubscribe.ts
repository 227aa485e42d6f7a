import { type Db, sql } from '../../../db/db.ts'

/**
 * Removes a recipient of a shop's digest, and turns the digest off when none is left. Any number of times: a mail that the
 * recipient opens again later still leads to the same page.
 */
export async function unsubscribe(db: Db, shopId: number, recipient: string, now: Date): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update digest_setting d
    set recipients = array_remove(d.recipients, ${recipient}),
      is_on = d.is_on and cardinality(array_remove(d.recipients, ${recipient})) > 0,
      version = d.version + 1,
      updated_at = ${now.toISOString()}
    where d.shop_id = ${shopId} and ${recipient} = any(d.recipients)
  `)
}
