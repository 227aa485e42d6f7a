import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mock } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { fontFace } from '../../../shared/pdf/fonts.ts'
import { createPdfRenderer, type PdfRendererOptions } from '../../../shared/pdf/renderer.ts'
import { createTextSetter } from '../../../shared/pdf/text-lines.ts'
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

t.test('a thread of its own renders the order, so that the event loop is not blocked', async (t) => {
  const { render } = shared
  const face = fontFace('latin', false)
  const layouts = t.capture(face, 'layout', face.layout)
  await render(long)
  t.equal(layouts().length, 0, 'this thread lays out no text')
  createTextSetter().width('Cotton T-shirt', { size: 9 })
  t.ok(layouts().length > 0, 'the count finds text of this thread')
})

/** Stops the clock of timers, and returns what lets it run on after the renderer has begun the next order. */
function stopTimers(t: Test) {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  return async (ms: number) => {
    await setImmediate()
    mock.timers.tick(ms)
  }
}

t.test('a render beyond its timeout fails, and the next one succeeds', async (t) => {
  const { render } = startRenderer(t)
  const passTime = stopTimers(t)
  const late = t.rejects(render(long), { code: 'pdf_timeout' })
  await passTime(20_000)
  await late
  t.match((await render(makeOrder())).subarray(0, 5).toString(), '%PDF-')
})

t.test('the timeout does not include the time in the queue', async (t) => {
  const { render } = startRenderer(t)
  const passTime = stopTimers(t)
  for (const rendering of Array.from({ length: 3 }, () => render(makeOrder()))) {
    await passTime(19_000)
    t.ok(await rendering)
  }
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
    console.log((await createPdfRenderer({ timeoutMs: ${deadline(60_000)} }).render(makeOrder())).subarray(0, 5).toString())`
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
