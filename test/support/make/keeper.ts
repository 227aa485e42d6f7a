import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { startProcess, type TestProcess } from '../core/processes.ts'

export type SupervisedProcess = {
  /** The process that is running now. */
  current: () => TestProcess
  /** The exit status or signal of each process that has ended, oldest first. */
  exits: readonly (number | string)[]
  /** The output of all processes. */
  output: () => string
  /** Stops the process without a restart, as a deploy does. Returns its exit status. */
  stop: () => Promise<number | string>
}

/** Restarts a process whenever it ends, as the host does, until the test is over. */
export function startSupervised(
  t: Test,
  file: string,
  env: Record<string, string>,
  pauseMs = 200,
): SupervisedProcess {
  const exits: (number | string)[] = []
  const all: TestProcess[] = []
  let isStopped = false
  let current: TestProcess
  const start = () => {
    const started = startProcess(t, file, env)
    all.push(started)
    current = started
    void started.ended.then(async (end) => {
      exits.push(end)
      await sleep(pauseMs)
      if (!isStopped) start()
    })
    return started
  }
  current = start()
  t.teardown(() => {
    isStopped = true
  })
  return {
    current: () => current,
    exits,
    output: () => all.map((process) => process.output()).join(''),
    async stop() {
      isStopped = true
      current.kill('SIGTERM')
      return current.ended
    },
  }
}
