import { once } from 'node:events'
import { relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import root from 'tap'
import { endProcess } from '../support/core/shared.ts'

// Runs the test files that test/run.ts sends, one after another in this process. Each file becomes one subtest: what it adds
// to the root test of tap goes to that subtest.
const runFile = root.test.bind(root)

/**
 * Tap follows each promise of a test, to name the test of an error that no test catches; that takes a tenth of the processor time.
 * Without it such an error ends the process, and the run reports the running test.
 */
function doNotFollow(test: typeof root): void {
  test.hook.onDestroy?.()
  test.hookDomain.destroy()
  // tap's type of a subtest is that of its base class
  test.on('subtestAdd', (subtest) => doNotFollow(subtest as typeof root))
}

// otherwise tap does so at its first output, and follows promises again
root.pipe(process.stdout)
doNotFollow(root)

/** No file starts shortly before midnight (UTC): many tests compare a day of this process with one of Postgres. */
const dayMs = 86_400_000
const quietMs = 180_000

function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}

/** The next file of the run, or undefined when this process ends. */
async function askForFile(): Promise<string | undefined> {
  process.send?.('next')
  // tap lets a process end that only waits for a message
  process.channel?.ref()
  const [file] = await once(process, 'message')
  process.channel?.unref()
  return file === 'none' ? undefined : file
}

for (let file = await askForFile(); file; file = await askForFile()) {
  const usedBefore = processorSeconds()
  await runFile(relative(process.cwd(), file).replaceAll('\\', '/'), async (t) => {
    const leftMs = dayMs - (Date.now() % dayMs)
    if (leftMs < quietMs) await sleep(leftMs)
    Object.assign(root, {
      test: t.test.bind(t),
      teardown: t.teardown.bind(t),
      setTimeout: t.setTimeout.bind(t),
    })
    await import(pathToFileURL(file).href)
  })
  root.comment(`processor time: ${processorSeconds() - usedBefore} s`)
}

process.disconnect()
await endProcess()
// a test that failed may have left a queue or a server behind
setTimeout(() => process.exit(), 10_000).unref()
