import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { createSharedExclusiveLock } from '../../../../worker/queue/crashes/shared-exclusive-lock.ts'

const never = new AbortController().signal

/** A lock with the names of its current holders. */
function startLock() {
  const lock = createSharedExclusiveLock()
  const holders = new Set<string>()
  const acquire = async (name: string, isAlone = false, signal = never) => {
    const release = await lock.acquire(isAlone ? 'exclusive' : 'shared', signal)
    holders.add(name)
    return () => {
      holders.delete(name)
      release()
    }
  }
  return { acquire, holders: () => [...holders].join(' ') }
}

t.test('shared holders run together, and an exclusive one waits for them', async (t) => {
  const { acquire, holders } = startLock()
  const a = await acquire('a')
  const b = await acquire('b')
  const alone = acquire('alone', true)
  const later = acquire('later')
  await turn()
  t.equal(holders(), 'a b')
  a()
  await turn()
  t.equal(holders(), 'b')
  b()
  const release = await alone
  await turn()
  t.equal(holders(), 'alone')
  release()
  await later
  t.equal(holders(), 'later')
})

t.test('exclusive holders run one after the other', async (t) => {
  const { acquire, holders } = startLock()
  const first = await acquire('first', true)
  const second = acquire('second', true)
  await turn()
  t.equal(holders(), 'first')
  first()
  await second
  t.equal(holders(), 'second')
})

t.test('an aborted wait ends and does not block later ones', async (t) => {
  const { acquire, holders } = startLock()
  await acquire('a')
  const stop = new AbortController()
  const alone = acquire('alone', true, stop.signal)
  const later = acquire('later')
  stop.abort()
  await t.rejects(alone, { name: 'AbortError' })
  await later
  t.equal(holders(), 'a later')
})
