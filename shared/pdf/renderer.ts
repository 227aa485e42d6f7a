import { fileURLToPath } from 'node:url'
import PQueue from 'p-queue'
import { Piscina } from 'piscina'
import type { LabelSheet } from '../schemas/labels.ts'
import type { PurchaseOrderDocument } from '../schemas/order-document.ts'
import type { PickListDocument } from '../schemas/pick-list.ts'
import type { SupplierReturnDocument } from '../schemas/return-document.ts'
import type { Picture } from './page.ts'
import type { ToRender } from './render-thread.ts'

export type PdfRenderer = {
  /** Renders the order as a PDF. Rejects with the reason of `signal` when it aborts, else with a {@link PdfError}. */
  render(order: PurchaseOrderDocument, options?: PrintOptions): Promise<Buffer>
  /** As `render`, for labels. */
  renderLabels(sheet: LabelSheet, options?: RenderOptions): Promise<Buffer>
  /** As `render`, for the pick list of a transfer. */
  renderPickList(list: PickListDocument, options?: RenderOptions): Promise<Buffer>
  /** As `render`, for the return note of a return to a supplier. */
  renderReturn(document: SupplierReturnDocument, options?: PrintOptions): Promise<Buffer>
  /** Ends the thread. All unfinished renders reject with `pdf_closed`. Safe to call twice. */
  close(): Promise<void>
}

type RenderOptions = { signal?: AbortSignal }
/** `logo`: the picture that the document names (`readLogo`). */
type PrintOptions = RenderOptions & { logo?: Picture | undefined }
type Document = PurchaseOrderDocument | LabelSheet | PickListDocument | SupplierReturnDocument
/** A function of `render-thread.ts`. */
type ThreadFunction = 'renderPurchaseOrder' | 'renderLabels' | 'renderPickList' | 'renderSupplierReturn'

type PdfErrorCode = 'pdf_too_large' | 'pdf_queue_full' | 'pdf_timeout' | 'pdf_closed' | 'pdf_thread_failed'
type PdfError = Error & { code: PdfErrorCode }

export type PdfRendererOptions = {
  /** Per render, without the time in the queue. */
  timeoutMs?: number
  maxQueue?: number
  idleTimeoutMs?: number
}

// When a thread reaches its memory limit, V8 may abort the whole process. An order of at most `maxSize` stays far below
// the limit (test/shared/pdf/renderer-memory.test.ts).
const threadMemoryMb = 384
// With V8's own choice of the young generation's size, a thread keeps more than 100 MiB of garbage for good.
const youngMemoryMb = 16
const maxSize = 300_000

/**
 * Creates a renderer that uses one worker thread, so that a long order blocks neither web requests nor the heartbeat.
 * The thread starts with the first order, ends after `idleTimeoutMs` without one, and does not keep the process alive. A render that
 * exceeds `timeoutMs` ends its thread; the next order gets a new one.
 */
export function createPdfRenderer(options: PdfRendererOptions = {}): PdfRenderer {
  const { timeoutMs = 20_000, maxQueue = 50, idleTimeoutMs = 10_000 } = options
  const pool = new Piscina<ToRender<Document>, Uint8Array<ArrayBuffer>>({
    filename: fileURLToPath(new URL('./render-thread.ts', import.meta.url)),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleTimeoutMs,
    resourceLimits: {
      maxOldGenerationSizeMb: threadMemoryMb,
      maxYoungGenerationSizeMb: youngMemoryMb,
    },
    // The thread handles untrusted text, so it gets no secrets and no flags of this process.
    env: {},
    execArgv: [],
  })
  // Not Piscina's queue: it has no limit for tasks that can be aborted, and its timeout would include the waiting time.
  const queue = new PQueue({ concurrency: 1 })
  const unfinished = new Set<AbortController>()
  let running: AbortController | undefined
  let closed = false

  // A thread that cannot start reports no result, so its order would wait for the timeout.
  pool.on('error', (cause: unknown) => {
    running?.abort(pdfError('pdf_thread_failed', 'The PDF thread failed', cause))
  })

  async function runTask(
    name: ThreadFunction,
    document: ToRender<Document>,
    task: AbortController,
  ): Promise<Buffer> {
    const timer = setTimeout(
      () => task.abort(pdfError('pdf_timeout', 'The PDF took too long to render')),
      timeoutMs,
    )
    running = task
    try {
      const pdf = await pool.run(document, { name, signal: task.signal })
      return Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
    } catch (error) {
      throw task.signal.aborted
        ? task.signal.reason
        : pdfError('pdf_thread_failed', 'The PDF could not be rendered', error)
    } finally {
      clearTimeout(timer)
      // p-queue starts the next render as soon as one is aborted, so `running` may be another task
      if (running === task) running = undefined
    }
  }

  async function render(name: ThreadFunction, document: Document, { signal, logo }: PrintOptions = {}) {
    signal?.throwIfAborted()
    if (closed) throw pdfError('pdf_closed', 'The PDF renderer is closed')
    if (sizeOf(document) > maxSize) throw pdfError('pdf_too_large', 'The document is too large for a PDF')
    if (queue.pending > 0 && queue.size >= maxQueue)
      throw pdfError('pdf_queue_full', 'Too many PDFs are waiting to be rendered')
    const task = new AbortController()
    const stop = () => task.abort(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    unfinished.add(task)
    try {
      return await queue.add(() => runTask(name, { document, logo }, task), { signal: task.signal })
    } finally {
      unfinished.delete(task)
      signal?.removeEventListener('abort', stop)
    }
  }

  return {
    render: (order, options) => render('renderPurchaseOrder', order, options),
    renderLabels: (sheet, options) => render('renderLabels', sheet, options),
    renderPickList: (list, options) => render('renderPickList', list, options),
    renderReturn: (document, options) => render('renderSupplierReturn', document, options),
    async close() {
      closed = true
      for (const task of unfinished) task.abort(pdfError('pdf_closed', 'The PDF renderer is closed'))
      await pool.destroy()
    },
  }
}

/** In characters of JSON. A line break counts 5, because it needs as much memory as a short line. */
function sizeOf(document: Document): number {
  const json = JSON.stringify(document)
  const breaks = json.match(/\\[nrf]|\\u000b|[\u0085\u2028\u2029]/g)?.length ?? 0
  return json.length + 4 * breaks
}

function pdfError(code: PdfErrorCode, message: string, cause?: unknown): PdfError {
  return Object.assign(new Error(message, { cause }), { code })
}
