import t from 'tap'
import { createPdfRenderer } from '../../../shared/pdf/renderer.ts'
import { isFull, rounds } from '../../support/faults/faults.ts'
import { makeLine, makeOrder } from './orders.ts'

t.test('many renders do not increase memory', async (t) => {
  const { render, close } = createPdfRenderer()
  t.teardown(close)
  const order = makeOrder({
    lines: Array.from({ length: 4 }, (_, i) => makeLine({ title: `${i} 衬衫 셔츠 חולצה قميص เสื้อ` })),
  })
  const renderMany = async (count: number) => {
    for (let i = 0; i < count; i++) await render({ ...order, poNumber: `PO-${i}` })
    return process.memoryUsage().rss / 2 ** 20
  }
  const warm = await renderMany(rounds(50, 30))
  await renderMany(rounds(150, 60))
  // a leak stays in every sample; what V8 has not collected yet is gone in one of them
  const samples: number[] = []
  for (let sample = 0; sample < 8; sample += 1) samples.push(await renderMany(5))
  const after = Math.min(...samples)
  t.ok(after - warm < rounds(120, 60), `${warm} MiB, then ${after} MiB`)
})

t.test('the largest accepted orders fit into the memory of a thread', async (t) => {
  const { render, close } = createPdfRenderer({ timeoutMs: 100_000 })
  t.teardown(close)
  // The most expensive texts: a change of script at every character, and a line for every character.
  if (isFull) t.ok(await render(makeOrder({ lines: [makeLine({ title: 'אa'.repeat(148_000) })] })))
  t.ok(await render(makeOrder({ supplierNotes: 'a\n'.repeat(42_000) })))
})
