import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Count, CountOrder } from './counted-job.ts'

export type WorkerProcess = {
  /**
   * Starts a count. The returned function waits until `jobs` jobs have run, and throws when one of them ran twice.
   */
  expect: (jobs: number) => Promise<() => Promise<void>>
  stop: () => Promise<void>
}

/** Starts a file of this folder or of the baselines that runs jobs. Its standard output goes to /dev/null. */
export function startWorkerProcess(file: string, env: Record<string, string>): WorkerProcess {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = fork(path, { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  const ended = once(child, 'exit')
  let errorOutput = ''
  child.stderr?.on('data', (chunk) => {
    errorOutput = (errorOutput + chunk).slice(-2_000)
  })
  return {
    async expect(jobs) {
      const order: CountOrder = { jobs }
      child.send(order)
      await nextMessage(child)
      const counted = nextMessage(child)
      // the caller may await this later; until then a rejection must not end the process
      counted.catch(() => {})
      return async () => {
        const { runs, distinct } = (await counted) as Count
        if (distinct !== runs) throw new Error(`Of ${runs} jobs only ${distinct} were distinct: ${file}`)
      }
    },
    async stop() {
      child.kill()
      await ended
    },
  }

  async function nextMessage(from: ChildProcess): Promise<unknown> {
    const [message] = await Promise.race([
      once(from, 'message'),
      ended.then(([code]) => Promise.reject(new Error(`${file} exited with code ${code}: ${errorOutput}`))),
      once(AbortSignal.timeout(60_000), 'abort').then(() =>
        Promise.reject(new Error(`${file} sent no message within 60 s: ${errorOutput}`)),
      ),
    ])
    return message
  }
}
