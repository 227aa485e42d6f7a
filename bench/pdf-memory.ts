import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createPdfRenderer } from '../shared/pdf/renderer.ts'
import { makeOrderDocument } from './support/order-document.ts'
import { readMemory } from './support/process-memory.ts'

/** The numbers of rendered documents after which the memory is read. */
type RenderCounts = readonly number[]

/** The memory, in MiB, of a separate process after each number of rendered orders of 50 lines. */
export async function memoryAfter(counts: RenderCounts): Promise<number[]> {
  const child = fork(fileURLToPath(import.meta.url), counts.map(String), { execArgv: ['--expose-gc'] })
  try {
    const [message] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) =>
        Promise.reject(new Error(`The rendering process exited with code ${code}`)),
      ),
    ])
    return message as number[]
  } finally {
    child.kill()
  }
}

/**
 * `gc()` collects the main thread only. The render thread collects its own heap, and the memory it retains is what
 * this measures.
 */
async function renderMany(counts: RenderCounts): Promise<number[]> {
  const pdf = createPdfRenderer()
  const readings: number[] = []
  let rendered = 0
  for (const count of counts) {
    while (rendered < count) {
      rendered += 1
      await pdf.render(makeOrderDocument(rendered, { isLatin: false }))
    }
    globalThis.gc?.()
    readings.push((await readMemory('self')).resident)
  }
  await pdf.close()
  return readings
}

if (import.meta.main) {
  process.send?.(await renderMany(process.argv.slice(2).map(Number)))
  process.disconnect()
}
