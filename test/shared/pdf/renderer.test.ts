import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { createPdfRenderer, type PdfRendererOptions } from '../../../shared/pdf/renderer.ts'
import { deadline } from '../../support/core/machine.ts'
import { idleTimeoutMs } from '../../support/core/shared.ts'
import { makeLine, makeOrder } from './orders.ts'
import { readPdf } from './read-pdf.ts'

function startRenderer(t: { teardown(end: () => Promise<void>): void }, options?: PdfRendererOptions) {
  const renderer = createPdfRenderer(options)
  t.teardown(() => renderer.close())
  return renderer
}

// a new thread for each test would load its modules and fonts again
const shared = createPdfRenderer({ idleTimeoutMs })
t.teardown(() => shared.close())

const long = makeOrder({
  lines: Array.from({ length: 500 }, (_, i) => makeLine({ title: `Cotton T-shirt ${i}` })),
})

t.test('the renderer renders concurrent orders correctly', async (t) => {
  const { render } = shared
  const files = await Promise.all(['PO-1', 'PO-2', 'PO-3'].map((poNumber) => render(makeOrder({ poNumber }))))
  for (const [i, file] of files.entries()) {
    t.ok(Buffer.isBuffer(file))
    t.match((await readPdf(file)).text, `Purchase order PO-${i + 1}`)
  }
})

t.test('rendering 500 lines does not block the event loop', async (t) => {
  const { render } = shared
  await render(makeOrder())
  // processor time, because other tests run at the same time
  const sum = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000
  const [process0, thread0] = [process.cpuUsage(), process.threadCpuUsage()]
  await render(long)
  const all = sum(process.cpuUsage(process0))
  const own = sum(process.threadCpuUsage(thread0))
  t.ok(own < all / 2, `this thread used ${own} of ${all} ms`)
})

t.test('a render beyond its timeout fails, and the next one succeeds', async (t) => {
  const began = performance.now()
  await startRenderer(t).render(makeOrder())
  // of a new thread, which needs seconds on a busy machine
  const timeoutMs = 2_000 + 3 * (performance.now() - began)
  const { render } = startRenderer(t, { timeoutMs })
  const slow = makeOrder({ lines: [makeLine({ title: 'אa'.repeat(148_000) })] })
  await t.rejects(render(slow), { code: 'pdf_timeout' })
  t.match((await render(makeOrder())).subarray(0, 5).toString(), '%PDF-')
})

t.test('the timeout does not include the time in the queue', async (t) => {
  const { render } = shared
  await render(long)
  const began = performance.now()
  await render(long)
  const timeoutMs = 4_000 + 4 * (performance.now() - began)

  const limited = startRenderer(t, { timeoutMs })
  let finished = 0
  const more = () => limited.render(long).then(() => finished++)
  const start = performance.now()
  const all = Array.from({ length: 12 }, more)
  while (performance.now() - start < timeoutMs + 500) {
    if (all.length - finished < 6) all.push(more())
    await setTimeout(20)
  }
  await Promise.all(all)
  t.equal(finished, all.length)
})

t.test('a full queue refuses a render with a code and completes the waiting ones', async (t) => {
  const { render } = startRenderer(t, { maxQueue: 2 })
  const accepted = [render(makeOrder()), render(makeOrder()), render(makeOrder())]
  await t.rejects(render(makeOrder()), { code: 'pdf_queue_full' })
  t.equal((await Promise.all(accepted)).length, 3)
  t.ok(await render(makeOrder()))
})

t.test('a caller can abort a running or a waiting render', async (t) => {
  const { render } = startRenderer(t, { maxQueue: 1 })
  const first = new AbortController()
  const second = new AbortController()
  const rendering = render(long, { signal: first.signal })
  const waiting = render(long, { signal: second.signal })
  second.abort(new Error('second aborted'))
  await t.rejects(waiting, { message: 'second aborted' })
  const next = render(makeOrder())
  first.abort(new Error('first aborted'))
  await t.rejects(rendering, { message: 'first aborted' })
  t.ok(await next)
  await t.rejects(render(makeOrder(), { signal: first.signal }), { message: 'first aborted' })
})

t.test('an order that cannot be rendered fails, and the next one succeeds', async (t) => {
  const { render } = shared
  // @ts-expect-error an order without lines
  await t.rejects(render(makeOrder({ lines: null })), { code: 'pdf_thread_failed', cause: Error })
  t.ok(await render(makeOrder()))
})

t.test('the renderer refuses an order that exceeds the memory of a thread', async (t) => {
  const { render } = shared
  for (const supplierNotes of ['a b '.repeat(75_000), 'a\n'.repeat(50_000), '\u2028'.repeat(60_000)]) {
    await t.rejects(render(makeOrder({ supplierNotes })), { code: 'pdf_too_large' })
  }
  t.ok(await render(makeOrder()))
})

t.test('closing the renderer fails running, waiting and later renders', async (t) => {
  const renderer = createPdfRenderer()
  const pending = [renderer.render(long), renderer.render(long)].map((each) =>
    t.rejects(each, { code: 'pdf_closed' }),
  )
  await renderer.close()
  await Promise.all(pending)
  await t.rejects(renderer.render(makeOrder()), { code: 'pdf_closed' })
  await renderer.close()
})

t.test('an idle renderer does not keep its process alive', async (t) => {
  const script = `
    import { createPdfRenderer } from './shared/pdf/renderer.ts'
    import { makeOrder } from './test/shared/pdf/orders.ts'
    console.log((await createPdfRenderer().render(makeOrder())).subarray(0, 5).toString())`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    cwd: new URL('../../../', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: deadline(150_000),
  })
  let output = ''
  child.stdout.on('data', (data) => {
    output += data
  })
  const [code] = await once(child, 'close')
  t.equal(code, 0)
  t.equal(output.trim(), '%PDF-')
})
