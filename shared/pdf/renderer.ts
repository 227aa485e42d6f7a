import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import type { PurchaseOrderDocument } from '../schemas/order-document.ts'

export type PdfRenderer = {
  /** The order as a PDF. Rejects with the reason of `signal` when that aborts, else with a {@link PdfError}. */
  render(order: PurchaseOrderDocument, options?: { signal?: AbortSignal }): Promise<Buffer>
  /** Ends the threads; whatever is rendering or waiting rejects with `pdf_closed`. Safe to call twice. */
  close(): Promise<void>
}

export type PdfErrorCode =
  | 'pdf_too_large'
  | 'pdf_queue_full'
  | 'pdf_timeout'
  | 'pdf_closed'
  | 'pdf_thread_failed'
export type PdfError = Error & { code: PdfErrorCode }

export type PdfRendererOptions = {
  maxThreads?: number
  /** Per render, counted from when a thread takes it; the time in the queue does not count. */
  timeoutMs?: number
  /** How many orders may wait for a thread. */
  maxQueue?: number
}

// V8 may abort the whole process, not only the thread, when a thread reaches its cap. So the cap is the second guard,
// and the first one is that no order of this size comes near it (test/shared/pdf/renderer-memory.test.ts).
const memoryOfThreadMb = 384
// What a document leaves behind is cleared up in steps of this size. V8's own choice keeps more than 100 MiB of it for good.
const youngMemoryMb = 16
const maxSize = 300_000
const idleTimeoutMs = 10_000

/**
 * Renders in worker threads, so that a long order blocks neither the web process nor a heartbeat. No thread runs
 * before the first order or some seconds after the last one, and none keeps the process from ending. A thread that
 * takes too long is ended, and the next order gets a new one.
 */
export function createPdfRenderer(options: PdfRendererOptions = {}): PdfRenderer {
  const { maxThreads = 1, timeoutMs = 20_000, maxQueue = 50 } = options
  const pool = new Piscina<PurchaseOrderDocument, Uint8Array<ArrayBuffer>>({
    filename: fileURLToPath(new URL('./render-thread.ts', import.meta.url)),
    name: 'renderPurchaseOrder',
    minThreads: 0,
    maxThreads,
    idleTimeout: idleTimeoutMs,
    resourceLimits: {
      maxOldGenerationSizeMb: memoryOfThreadMb,
      maxYoungGenerationSizeMb: youngMemoryMb,
    },
    // The thread reads what others wrote and needs none of this process's secrets or flags.
    env: {},
    execArgv: [],
  })
  const unfinished = new Set<AbortController>()
  const running = new Set<AbortController>()
  // Piscina's own queue does not bound tasks that can be aborted, and its clock would start before a thread does.
  const waiting: (() => void)[] = []
  let busy = 0
  let closed = false

  // A thread that could not even start: its order would wait for the time-out.
  pool.on('error', (cause: unknown) => {
    for (const task of running) task.abort(pdfError('pdf_thread_failed', 'The PDF thread failed', cause))
  })

  async function takeThread(signal: AbortSignal): Promise<void> {
    if (busy < maxThreads) {
      busy++
      return
    }
    if (waiting.length >= maxQueue) throw pdfError('pdf_queue_full', 'Too many PDFs are waiting to be made')
    await new Promise<void>((resolve, reject) => {
      waiting.push(resolve)
      signal.addEventListener('abort', () => {
        const place = waiting.indexOf(resolve)
        if (place >= 0) waiting.splice(place, 1)
        reject(signal.reason)
      })
    })
  }

  function freeThread(): void {
    const next = waiting.shift()
    if (next) next()
    else busy--
  }

  async function runTask(order: PurchaseOrderDocument, task: AbortController): Promise<Buffer> {
    const clock = setTimeout(
      () => task.abort(pdfError('pdf_timeout', 'The PDF took too long to make')),
      timeoutMs,
    )
    running.add(task)
    try {
      const pdf = await pool.run(order, { signal: task.signal })
      return Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
    } catch (error) {
      throw task.signal.aborted ? task.signal.reason : pdfError('pdf_thread_failed', 'The PDF failed', error)
    } finally {
      clearTimeout(clock)
      running.delete(task)
    }
  }

  return {
    async render(order, { signal } = {}) {
      signal?.throwIfAborted()
      if (closed) throw pdfError('pdf_closed', 'The PDF renderer is closed')
      if (sizeOf(order) > maxSize) throw pdfError('pdf_too_large', 'The order is too large for a PDF')
      const task = new AbortController()
      const stop = () => task.abort(signal?.reason)
      signal?.addEventListener('abort', stop, { once: true })
      unfinished.add(task)
      try {
        await takeThread(task.signal)
        return await runTask(order, task).finally(freeThread)
      } finally {
        unfinished.delete(task)
        signal?.removeEventListener('abort', stop)
      }
    },
    async close() {
      closed = true
      for (const task of unfinished) task.abort(pdfError('pdf_closed', 'The PDF renderer is closed'))
      await pool.destroy()
    },
  }
}

/** Characters as JSON, some 5 000 short lines or 500 very long ones; a line break costs as much as a short line. */
function sizeOf(order: PurchaseOrderDocument): number {
  const json = JSON.stringify(order)
  const breaks = json.match(/\\[nrf]|\\u000b|[\u0085\u2028\u2029]/g)?.length ?? 0
  return json.length + 4 * breaks
}

function pdfError(code: PdfErrorCode, message: string, cause?: unknown): PdfError {
  return Object.assign(new Error(message, { cause }), { code })
}
