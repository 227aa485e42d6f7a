import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { createSharedExclusiveLock } from '../../../worker/queue/shared-exclusive-lock.ts'

const never = new AbortController().signal

/** Notes who is in, and answers what lets each out. */
function visit() {
  const gate = createSharedExclusiveLock()
  const inside = new Set<string>()
  const come = async (name: string, isAlone = false, signal = never) => {
    const leave = await gate.enter(isAlone, signal)
    inside.add(name)
    return () => {
      inside.delete(name)
      leave()
    }
  }
  return { come, inside: () => [...inside].join(' ') }
}

t.test('many are inside together, and one alone waits for them', async (t) => {
  const { come, inside } = visit()
  const a = await come('a')
  const b = await come('b')
  const alone = come('alone', true)
  const later = come('later')
  await turn()
  t.equal(inside(), 'a b')
  a()
  await turn()
  t.equal(inside(), 'b')
  b()
  const leave = await alone
  await turn()
  t.equal(inside(), 'alone')
  leave()
  await later
  t.equal(inside(), 'later')
})

t.test('two that must be alone are so one after the other', async (t) => {
  const { come, inside } = visit()
  const first = await come('first', true)
  const second = come('second', true)
  await turn()
  t.equal(inside(), 'first')
  first()
  await second
  t.equal(inside(), 'second')
})

t.test('who is told to stop while waiting goes away, and holds up nobody', async (t) => {
  const { come, inside } = visit()
  await come('a')
  const stop = new AbortController()
  const alone = come('alone', true, stop.signal)
  const later = come('later')
  stop.abort()
  await t.rejects(alone, { name: 'AbortError' })
  await later
  t.equal(inside(), 'a later')
})
