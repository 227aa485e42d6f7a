import { PassThrough } from 'node:stream'
import t from 'tap'
import { describe, showLog } from '../../../dev/processes/child-log.ts'
import { until } from '../../support/core/until.ts'

const entry = (level: number, fields: object) =>
  JSON.stringify({ level, time: 1, pid: 2, process: 'web', ...fields })

t.test('log lines of pino become readable', async (t) => {
  t.equal(describe(entry(30, { msg: 'listening', port: 3000 }), 0), 'info listening {"port":3000}')
  t.equal(describe(entry(30, { msg: 'listening' }), 40), undefined)
  t.match(
    describe(entry(50, { msg: 'failed', err: { message: 'no', stack: 'Error: no\n at a' } }), 40),
    'error failed \n    Error: no\n     at a',
  )
  t.equal(describe('not JSON', 40), 'not JSON')
  t.equal(describe('{"broken', 40), '{"broken')
  t.equal(describe('', 40), undefined)
})

t.test('a repeated line is shown once', async (t) => {
  const stream = new PassThrough()
  const shown: string[] = []
  showLog(stream, 'worker', { isVerbose: false, write: (line) => shown.push(line) })
  for (const msg of ['no database', 'no database', 'something else', 'no database', 'the end'])
    stream.write(`${entry(50, { msg })}\n`)
  stream.end()
  await until(() => shown.some((line) => line.endsWith('the end')), 'all lines are read')
  t.strictSame(shown, ['worker  error no database', 'worker  error something else', 'worker  error the end'])
})
