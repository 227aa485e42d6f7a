import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { sql } from '../../../shared/db/db.ts'
import { runProcess } from '../../../shared/process.ts'
import { defineJob } from '../../../shared/queue/jobs.ts'
import { startWorker } from '../../../worker/main.ts'
import { defineTask } from '../../../worker/queue/task.ts'
import { tasks } from '../../../worker/tasks.ts'

const kinds = {
  kill: () => process.kill(process.pid, 'SIGKILL'),
  exit: () => process.exit(0),
  'throw-later': () => setTimeout(() => Promise.reject(new Error('unhandled rejection'))),
  loop: () => {
    for (;;);
  },
  'use-memory': () => {
    const allocated: string[][] = []
    for (;;) allocated.push(Array.from({ length: 1_000_000 }, (_, at) => `${at}`))
  },
  fail: () => {
    throw new Error('on purpose')
  },
  nothing: () => {},
}
export type Kind = keyof typeof kinds

const Payload = Type.Object({ kind: Type.String(), ms: Type.Integer(), name: Type.String() })

/** Waits `ms`, harms its process in the way of its kind, and records its start and its end. */
const act = defineTask(defineJob('act', Payload, 1), async ({ db }, payload, { signal }) => {
  const { kind, ms, name } = payload
  await db.query(sql.typeAlias('void')`insert into act (name, step) values (${name}, 'begun')`)
  await sleep(ms, undefined, { signal })
  kinds[kind as Kind]()
  // let the process fail before the job ends
  if (kind !== 'nothing') await sleep(60_000, undefined, { ref: false })
  await db.query(sql.typeAlias('void')`insert into act (name, step) values (${name}, 'done')`)
})

/** The complete worker with one additional task. */
await runProcess({ name: 'worker', env: process.env, stopWithinMs: 24_000 }, startWorker([...tasks, act]))
