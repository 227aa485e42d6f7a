import { type Db, sql } from '../../db/db.ts'

/**
 * Claims a slot of a timer. Answers true to exactly one of those who ask, who then enqueues in the same transaction:
 * one that dies in between has claimed nothing.
 */
export async function claimSlot(tx: Db, name: string, slot: Date): Promise<boolean> {
  const claimed = await tx.maybeOne(sql.typeAlias('void')`
    insert into schedule_slot (name, slot) values (${name}, ${slot.toISOString()})
    on conflict do nothing
    returning name
  `)
  return claimed !== null
}
