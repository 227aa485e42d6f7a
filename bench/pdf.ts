import { renderDefinition } from '../shared/pdf/render-thread.ts'
import { createPdfRenderer } from '../shared/pdf/renderer.ts'
import { prepareBarePdf, renderBarePdf } from './baselines/bare-pdf.ts'
import { type BenchOptions, runBench } from './command.ts'
import type { Figure } from './figures.ts'
import { makeOrderDocument } from './order-document.ts'
import { memoryAfter } from './pdf-memory.ts'
import { alternate, median } from './rounds.ts'

type Render = (order: ReturnType<typeof makeOrderDocument>) => Promise<Uint8Array>

/** An order of 50 lines as a PDF, beside pdfmake alone with the same content; and what many of them leave in memory. */
export async function measurePdf({ isQuick }: BenchOptions): Promise<Figure[]> {
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
        what: 'PDF of 50 lines, with its thread',
        unit: 'ms',
        value: median(whole.subjects),
        baseline: { what: 'pdfmake alone', value: median(whole.baselines) },
        target: { of: 'ratio', at: 'most', limit: 1.2 },
        detail: whole,
      },
      {
        what: 'PDF of 50 lines, what the thread costs',
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

/** Of one, in the mean of so many. */
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
    // it takes some dozens until a thread has what it keeps
    ...(!isQuick && { target: { of: 'ratio', at: 'most', limit: 1.1 } }),
  }
}

/** Either side could be fast because it leaves something out. */
async function requireSameContent(ours: Render, bare: Render): Promise<void> {
  const order = makeOrderDocument(1)
  const { extractText } = await import('unpdf')
  const words = order.lines.flatMap(({ sku, title }) => [sku, title])
  for (const render of [ours, bare]) {
    // the reader of PDFs takes its memory away
    const { text, totalPages } = await extractText(Uint8Array.from(await render(order)), { mergePages: true })
    const read = text.replace(/\s+/g, ' ')
    const missing = [...words, order.poNumber, order.supplier.name].filter((word) => !read.includes(word))
    if (missing.length > 0) throw new Error(`A PDF of ${totalPages} pages lacks ${missing.join(', ')}`)
  }
}

if (import.meta.main) await runBench('pdf', measurePdf)
