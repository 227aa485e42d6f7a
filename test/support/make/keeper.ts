import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { startProcess, type TestProcess } from '../core/processes.ts'

export type Kept = {
  /** The one that runs now. */
  current: () => TestProcess
  /** How each ended that has, oldest first. */
  ends: readonly (number | string)[]
  /** What all of them have written. */
  output: () => string
  /** Ends it for good, as a deploy does; answers how it ended. */
  stop: () => Promise<number | string>
}

/** Starts a process again whenever it ends, as the host does, until the test is over. */
export function keep(t: Test, file: string, env: Record<string, string>, pauseMs = 200): Kept {
  const ends: (number | string)[] = []
  const all: TestProcess[] = []
  let isOver = false
  let current: TestProcess
  const start = () => {
    const started = startProcess(t, file, env)
    all.push(started)
    current = started
    void started.ended.then(async (end) => {
      ends.push(end)
      await sleep(pauseMs)
      if (!isOver) start()
    })
    return started
  }
  current = start()
  t.teardown(() => {
    isOver = true
  })
  return {
    current: () => current,
    ends,
    output: () => all.map((one) => one.output()).join(''),
    async stop() {
      isOver = true
      current.kill('SIGTERM')
      return current.ended
    },
  }
}
