import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'

/** One due time of a timer. */
export type Slot = { name: string; slot: Date }

/** Returns the names of the slots that no worker has claimed yet: at nearly every tick there are none. */
export async function findUnclaimed(db: Db, slots: readonly Slot[]): Promise<ReadonlySet<string>> {
  const rows = slots.map(({ name, slot }) => [name, slot.toISOString()])
  const names = await db.anyFirst(sql.type(row(Type.Object({ name: Type.String() })))`
    select due.name
    from ${sql.unnest(rows, ['text', 'timestamptz'])} as due (name, slot)
    where not exists (select from schedule_slot s where s.name = due.name and s.slot = due.slot)
  `)
  return new Set(names)
}

/** Returns true to exactly one worker, which enqueues the job in the same transaction as the claim. */
export async function claimSlot(tx: Db, { name, slot }: Slot): Promise<boolean> {
  const claimed = await tx.maybeOne(sql.typeAlias('void')`
    insert into schedule_slot (name, slot) values (${name}, ${slot.toISOString()})
    on conflict do nothing
    returning name
  `)
  return claimed !== null
}
