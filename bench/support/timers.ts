import type { Db } from '../../shared/db/db.ts'
import { claimSlot } from '../../shared/domain/kit/operations/schedule.ts'
import { lastSlot, timers } from '../../worker/schedule.ts'

/** Claims the slots of the timers for a day: their jobs are not measured, and some call the platform. */
export async function claimSlots(db: Db): Promise<void> {
  const hour = 60 * 60 * 1000
  for (const timer of timers) {
    const slot = lastSlot(timer, new Date())
    for (let hours = 0; hours <= 24; hours += 1) {
      await claimSlot(db, { name: timer.name, slot: new Date(slot.getTime() + hours * hour) })
    }
  }
}
