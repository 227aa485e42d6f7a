import t from 'tap'
import { createUndo } from '../../../dev/processes/undo.ts'

t.test('all steps run, the last one first, and the first failure is thrown at the end', async (t) => {
  const undo = createUndo()
  const ran: string[] = []
  undo.add(() => void ran.push('first'))
  undo.add(() => Promise.reject(new Error('a later failure')))
  undo.add(() => void ran.push('second'))
  undo.add(() => {
    throw new Error('the first failure')
  })
  await t.rejects(undo.run(), { message: 'the first failure' })
  t.strictSame(ran, ['second', 'first'])
  await t.resolves(undo.run(), 'no step runs twice')
  t.equal(ran.length, 2)
})
