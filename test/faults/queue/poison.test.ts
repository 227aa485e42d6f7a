import t from 'tap'
import { isFull } from '../../support/faults/faults.ts'
import { expectIsolation } from '../../support/faults/poison.ts'

for (const kind of ['kill', 'loop', 'exit', 'throw-later', 'use-memory'] as const) {
  t.test(
    `a job that harms its process (${kind}) is set aside after three times, and the other jobs are done`,
    { skip: !isFull && kind !== 'kill' && 'takes a minute: npm run test:faults' },
    (t) => expectIsolation(t, kind),
  )
}
