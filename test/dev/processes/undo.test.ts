import t from 'tap'
import { createUndo } from '../../../dev/processes/undo.ts'

t.test('every step is taken, the last one first, and the first fault is told at the end', async (t) => {
  const undo = createUndo()
  const taken: string[] = []
  undo.add(() => void taken.push('first'))
  undo.add(() => Promise.reject(new Error('a later fault')))
  undo.add(() => void taken.push('second'))
  undo.add(() => {
    throw new Error('the fault')
  })
  await t.rejects(undo.run(), { message: 'the fault' })
  t.strictSame(taken, ['second', 'first'])
  await t.resolves(undo.run(), 'no step is taken twice')
  t.equal(taken.length, 2)
})
