import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Count, CountOrder } from './counted-job.ts'

export type WorkerProcess = {
  /** Counts from now on. What it answers waits until so many jobs have run, and throws when one of them ran twice. */
  expect: (jobs: number) => Promise<() => Promise<void>>
  stop: () => Promise<void>
}

/** Starts a file of this folder or of the baselines that runs jobs. What it logs is written, and goes nowhere else. */
export function startWorkerProcess(file: string, env: Record<string, string>): WorkerProcess {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = fork(path, { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  const ended = once(child, 'exit')
  let complaints = ''
  child.stderr?.on('data', (chunk) => {
    complaints = (complaints + chunk).slice(-2_000)
  })
  return {
    async expect(jobs) {
      const order: CountOrder = { jobs }
      child.send(order)
      await answer(child)
      const counted = answer(child)
      // whoever waits hears of it; nobody may wait yet
      counted.catch(() => {})
      return async () => {
        const { runs, distinct } = (await counted) as Count
        if (distinct !== runs)
          throw new Error(`Of ${runs} jobs only ${distinct} were different ones: ${file}`)
      }
    },
    async stop() {
      child.kill()
      await ended
    },
  }

  async function answer(from: ChildProcess): Promise<unknown> {
    const [message] = await Promise.race([
      once(from, 'message'),
      ended.then(([code]) => Promise.reject(new Error(`${file} ended with ${code}: ${complaints}`))),
      once(AbortSignal.timeout(60_000), 'abort').then(() =>
        Promise.reject(new Error(`${file} says nothing: ${complaints}`)),
      ),
    ])
    return message
  }
}
