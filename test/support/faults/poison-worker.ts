import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { sql } from '../../../shared/db/db.ts'
import { runProcess } from '../../../shared/process.ts'
import { startWorker } from '../../../worker/main.ts'
import { defineTask } from '../../../worker/queue/task.ts'
import { tasks } from '../../../worker/tasks.ts'

const kinds = {
  kill: () => process.kill(process.pid, 'SIGKILL'),
  exit: () => process.exit(0),
  'throw-later': () => setTimeout(() => Promise.reject(new Error('nobody waits for this'))),
  loop: () => {
    for (;;);
  },
  'use-memory': () => {
    const kept: string[][] = []
    for (;;) kept.push(Array.from({ length: 1_000_000 }, (_, at) => `${at}`))
  },
  fail: () => {
    throw new Error('on purpose')
  },
  nothing: () => {},
}
export type Kind = keyof typeof kinds

const Payload = Type.Object({ kind: Type.String(), ms: Type.Integer(), name: Type.String() })

/** Works for so long, does what it is told to its process, and says that it was done. */
const act = defineTask(
  { name: 'act', payload: Payload, maxAttempts: 1 },
  async ({ db }, payload, { signal }) => {
    const { kind, ms, name } = payload
    await db.query(sql.typeAlias('void')`insert into act (name, step) values (${name}, 'begun')`)
    await sleep(ms, undefined, { signal })
    kinds[kind as Kind]()
    // whatever it did is to happen before it has an end
    if (kind !== 'nothing') await sleep(60_000, undefined, { ref: false })
    await db.query(sql.typeAlias('void')`insert into act (name, step) values (${name}, 'done')`)
  },
)

/** The worker as it is, with one task more. */
await runProcess({ name: 'worker', env: process.env, stopWithinMs: 24_000 }, startWorker([...tasks, act]))
