import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createPdfRenderer } from '../shared/pdf/renderer.ts'
import { makeOrderDocument } from './order-document.ts'
import { readMemory } from './process-memory.ts'

/** After how many renders the memory is looked at. */
type Plan = readonly number[]

/** The memory, in MiB, of a process of its own after so many orders of 50 lines. */
export async function memoryAfter(counts: Plan): Promise<number[]> {
  const child = fork(fileURLToPath(import.meta.url), counts.map(String), { execArgv: ['--expose-gc'] })
  try {
    const [answer] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`The renders ended with ${code}`))),
    ])
    return answer as number[]
  } finally {
    child.kill()
  }
}

/** A thread cannot be told to clear up; it does so by itself, and what it keeps is what counts. */
async function renderMany(counts: Plan): Promise<number[]> {
  const pdf = createPdfRenderer()
  const seen: number[] = []
  let rendered = 0
  for (const count of counts) {
    while (rendered < count) {
      rendered += 1
      await pdf.render(makeOrderDocument(rendered, { isLatin: false }))
    }
    globalThis.gc?.()
    seen.push((await readMemory('self')).resident)
  }
  await pdf.close()
  return seen
}

if (import.meta.main) {
  process.send?.(await renderMany(process.argv.slice(2).map(Number)))
  process.disconnect()
}
