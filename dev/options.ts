import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

export type StartOptions = {
  /** The folder for all data that outlives a run. */
  dataDir: string
  /** 0 means any free port. */
  webPort: number
  simulatorPort: number
  isReset: boolean
  isVerbose: boolean
}

export const help = `Runs Quartermaster on this machine: Postgres, web, worker, and a simulator of the platform with an inbox.

  npm start                     start, with the data of earlier runs; Ctrl-C stops it
  npm start -- --reset          delete the stored data first
  npm start -- --data FOLDER    keep the data in FOLDER instead of .data
  npm start -- --verbose        show all log lines of the processes, not only warnings
  npm start -- --help           show this

  PORT=4000 npm start           web listens on 4000 instead of 3000
  SIMULATOR_PORT=4001 npm start the simulator listens on 4001 instead of 3001`

/**
 * Reads the command line. Returns 'help' for --help. Throws an error to show to the user when an option is invalid.
 */
export function readOptions(
  args: string[],
  env: Readonly<Record<string, string | undefined>>,
): StartOptions | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: 'string', default: fileURLToPath(new URL('../.data', import.meta.url)) },
      reset: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return 'help'
  if (values.data === '') throw new Error('--data needs a folder')
  const webPort = readPort('PORT', env.PORT || '3000')
  const simulatorPort = readPort('SIMULATOR_PORT', env.SIMULATOR_PORT || '3001')
  if (webPort !== 0 && webPort === simulatorPort)
    throw new Error(`PORT and SIMULATOR_PORT are both ${webPort}: choose two different ones.`)
  return {
    dataDir: resolve(values.data),
    webPort,
    simulatorPort,
    isReset: values.reset,
    isVerbose: values.verbose,
  }
}

function readPort(name: string, text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new Error(`${name} must be a whole number from 0 to 65535; it is "${text}".`)
  return port
}
