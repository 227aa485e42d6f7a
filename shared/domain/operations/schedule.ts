import { type Db, sql } from '../../db/db.ts'

/**
 * Claims a time slot of a scheduled job. Returns true to exactly one worker, which enqueues the job in the same
 * transaction. If that worker dies first, the claim rolls back.
 */
export async function claimSlot(tx: Db, name: string, slot: Date): Promise<boolean> {
  const claimed = await tx.maybeOne(sql.typeAlias('void')`
    insert into schedule_slot (name, slot) values (${name}, ${slot.toISOString()})
    on conflict do nothing
    returning name
  `)
  return claimed !== null
}
