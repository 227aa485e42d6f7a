import { type Db, sql } from '../../db/db.ts'

/** Returns true to exactly one worker, which enqueues the job in the same transaction as the claim. */
export async function claimSlot(tx: Db, name: string, slot: Date): Promise<boolean> {
  const claimed = await tx.maybeOne(sql.typeAlias('void')`
    insert into schedule_slot (name, slot) values (${name}, ${slot.toISOString()})
    on conflict do nothing
    returning name
  `)
  return claimed !== null
}
