import { renderDefinition } from '../shared/pdf/render-thread.ts'
import { createPdfRenderer } from '../shared/pdf/renderer.ts'
import { prepareBarePdf, renderBarePdf } from './baselines/bare-pdf.ts'
import { memoryAfter } from './pdf-memory.ts'
import { type BenchOptions, runBench } from './support/command.ts'
import type { Figure } from './support/figures.ts'
import { makeOrderDocument } from './support/order-document.ts'
import { alternate, median } from './support/rounds.ts'

type Render = (order: ReturnType<typeof makeOrderDocument>) => Promise<Uint8Array>

/**
 * Compares a PDF of 50 lines with pdfmake alone rendering the same content, and measures the memory after many
 * renders.
 */
async function measurePdf({ isQuick }: BenchOptions): Promise<Figure[]> {
  const rounds = isQuick ? 1 : 9
  const perRound = isQuick ? 3 : 20
  const milliseconds = (render: Render) => () => timeOf(render, perRound)
  const pdf = createPdfRenderer()
  prepareBarePdf()
  try {
    await requireSameContent(pdf.render, renderBarePdf)
    const whole = await alternate(rounds, {
      subject: milliseconds(pdf.render),
      baseline: milliseconds(renderBarePdf),
    })
    const threads = await alternate(rounds, {
      subject: milliseconds(pdf.render),
      baseline: milliseconds(renderDefinition),
    })
    return [
      {
        what: 'PDF of 50 lines, in the render thread',
        unit: 'ms',
        value: median(whole.subjects),
        baseline: { what: 'pdfmake alone', value: median(whole.baselines) },
        target: { of: 'ratio', at: 'max', limit: 1.2 },
        detail: whole,
      },
      {
        what: 'PDF of 50 lines, cost of the thread',
        unit: 'ms',
        value: median(threads.subjects),
        baseline: { what: 'in the caller’s own thread', value: median(threads.baselines) },
        detail: threads,
      },
      await memoryFigure({ isQuick }),
    ]
  } finally {
    await pdf.close()
  }
}

/** Mean milliseconds per document. */
async function timeOf(render: Render, count: number): Promise<number> {
  const startedAt = performance.now()
  for (let number = 1; number <= count; number += 1) await render(makeOrderDocument(number))
  return (performance.now() - startedAt) / count
}

async function memoryFigure({ isQuick }: BenchOptions): Promise<Figure> {
  const [few, many] = isQuick ? [10, 30] : [200, 1000]
  const [before = Number.NaN, after = Number.NaN] = await memoryAfter([few, many])
  return {
    what: `memory of a process after ${many} PDFs`,
    unit: 'MiB',
    value: after,
    baseline: { what: `after ${few}`, value: before },
    // a thread reaches its steady size after some dozens of documents
    ...(!isQuick && { target: { of: 'ratio', at: 'max', limit: 1.1 } }),
  }
}

/** Throws when a document lacks content: a renderer that leaves something out would look faster. */
async function requireSameContent(ours: Render, bare: Render): Promise<void> {
  const order = makeOrderDocument(1)
  const { extractText } = await import('unpdf')
  const expectedTexts = order.lines.flatMap(({ sku, title }) => [sku, title])
  for (const render of [ours, bare]) {
    // unpdf detaches the buffer that it reads, so give it a copy
    const { text, totalPages } = await extractText(Uint8Array.from(await render(order)), { mergePages: true })
    const content = text.replace(/\s+/g, ' ')
    const missing = [...expectedTexts, order.poNumber, order.supplier.name].filter(
      (expected) => !content.includes(expected),
    )
    if (missing.length > 0) throw new Error(`A PDF of ${totalPages} pages lacks ${missing.join(', ')}`)
  }
}

if (import.meta.main) await runBench('pdf', measurePdf)
