import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { keepOutput } from './outputs.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export type TestProcess = {
  child: ChildProcess
  /** Everything it has written. */
  output: () => string
  /** The exit status, or the signal that ended it. */
  ended: Promise<number | string>
  kill: (signal: NodeJS.Signals) => void
}

/**
 * Runs `api/server.ts` or `worker/main.ts` as ops do, or another file by its whole path; whatever is left of it dies with
 * the test. Its log is never silent: what it says is kept (`outputs.ts`).
 */
export function startProcess(t: Test, file: string, env: Record<string, string>): TestProcess {
  const path = resolve(root, file)
  const talking = { ...env, ...(env.LOG_LEVEL === 'silent' && { LOG_LEVEL: 'info' }) }
  const child = spawn(process.execPath, [path], { env: talking, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      output += text
      keepOutput(text)
    })
  }
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
