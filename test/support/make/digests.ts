import { type TSchema, Type } from '@sinclair/typebox'
import type { Test } from 'tap'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import { claimDigests } from '../../../shared/domain/views/digest/claim.ts'
import { type Job, jobs } from '../../../shared/queue/jobs.ts'
import type { DigestSettingsPatch } from '../../../shared/schemas/digest.ts'
import { startApp } from '../core/app.ts'
import type { Person } from '../core/people.ts'
import { enqueued, startTasks } from '../core/worker.ts'

export const recipient = 'buyer@kestrel.example.com'

/** Turns on the digest of a shop, for all days. */
export async function turnOnDigest(db: Db, person: Person, patch: DigestSettingsPatch = {}): Promise<void> {
  const response = await person.put('/api/digest', { enabled: true, recipients: [recipient], ...patch })
  if (response.statusCode !== 200) throw new Error(response.body)
  await db.query(sql.typeAlias('void')`
    update digest_setting set first_day = '-infinity' where shop_id = ${person.shopId}
  `)
}

/** The app, the worker's tasks with a mail service, and the steps of a digest. */
export async function startDigests(t: Test) {
  const { app, db, alice, mallory } = await startApp(t)
  const { platform, perform } = await startTasks(t, db)
  const done = new Set<string>()
  const claim = (now: string) => db.transaction((tx) => claimDigests(tx, new Date(now)))
  /** Runs the jobs of a kind that no earlier call has run. */
  const runAll = async <P extends TSchema>(job: Job<P>, { shopId }: Person) => {
    for (const payload of await enqueued(db, job, shopId)) {
      const key = JSON.stringify([job.name, payload])
      if (done.has(key)) continue
      done.add(key)
      await perform(job, payload)
    }
  }
  return {
    ...{ app, db, alice, mallory, platform, perform, claim },
    make: (shop: Person) => runAll(jobs.makeDigest, shop),
    send: (shop: Person) => runAll(jobs.sendDigest, shop),
    /** The schedulers see this instant, and the worker runs all jobs that follow. */
    pass: async (now: string, shop: Person = alice) => {
      await claim(now)
      await runAll(jobs.makeDigest, shop)
      await runAll(jobs.sendDigest, shop)
    },
    mails: () => platform.mails(),
  }
}

/** The first day with a digest, as in 2026-03-01. */
export const firstDayOf = (db: Db, { shopId }: Pick<Person, 'shopId'>): Promise<string> =>
  db.oneFirst(sql.type(row(Type.Object({ day: Type.String() })))`
    select to_char(first_day, 'YYYY-MM-DD') as day from digest_setting where shop_id = ${shopId}
  `)
