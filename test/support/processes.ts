import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

const root = fileURLToPath(new URL('../..', import.meta.url))

export type TestProcess = {
  child: ChildProcess
  /** Everything it has written. */
  output: () => string
  /** The exit status, or the signal that ended it. */
  ended: Promise<number | string>
  kill: (signal: NodeJS.Signals) => void
}

/** Runs `api/server.ts` or `worker/main.ts` as ops do, or another file by its whole path; whatever is left dies with the test. */
export function startProcess(t: Test, file: string, env: Record<string, string>): TestProcess {
  const path = resolve(root, file)
  const child = spawn(process.execPath, [path], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const ended = once(child, 'close').then(([code, signal]): number | string => code ?? signal)
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, output: () => output, ended, kill: (signal) => child.kill(signal) }
}

/** Asks until the answer is neither undefined nor false. */
export async function until<T>(
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  what: string,
  limitMs = 60_000,
): Promise<T> {
  const deadline = Date.now() + limitMs
  while (Date.now() < deadline) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    await sleep(50)
  }
  throw new Error(`Not within ${limitMs} ms: ${what}`)
}
