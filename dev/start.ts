import { deleteData } from './data-folder.ts'
import { welcome } from './demo/welcome.ts'
import { help, readOptions } from './options.ts'
import { watchStopSignals } from './processes/stop-signals.ts'
import { createSystem } from './system.ts'

/** Runs the whole system until a stop signal arrives. Returns the exit status. */
async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options === 'help') {
    console.log(help)
    return 0
  }
  if (options.isReset) await deleteData(options.dataDir)
  const system = createSystem(options, { isVerbose: options.isVerbose, write: (line) => console.log(line) })
  const stop = watchStopSignals(() => void system.kill().finally(() => process.exit(1)))
  console.log('Starting. The first start takes longer.')
  try {
    console.log(welcome(await system.start(stop)))
    if (!stop.aborted) await new Promise((stopped) => stop.addEventListener('abort', stopped, { once: true }))
  } catch (error) {
    if (!stop.aborted) {
      await system.stop().catch(report)
      throw error
    }
  }
  console.log('\nStopping. Press Ctrl-C again to stop immediately.')
  await system.stop()
  return 0
}

function report(error: unknown): void {
  console.error(error instanceof Error ? error.message : error)
}

if (import.meta.main) {
  process.exitCode = await main().catch((error: unknown) => {
    report(error)
    return 1
  })
}
