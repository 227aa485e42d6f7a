import { loadConfig } from '../../shared/config.ts'
import { openDb } from '../../shared/db/db.ts'
import { requireKnownSchema } from '../../shared/db/schema-state.ts'
import { createScrub } from '../../shared/telemetry/scrub.ts'
import { type Command, helpOf } from './jobs/command.ts'
import { deliveries, replay } from './jobs/deliveries.ts'
import { createOutputScrub } from './jobs/format.ts'
import { list } from './jobs/list.ts'
import { readArgs, UsageError } from './jobs/options.ts'
import { cancel, retry } from './jobs/retry-and-cancel.ts'
import { runs } from './jobs/runs.ts'
import { show } from './jobs/show.ts'
import { stats } from './jobs/stats.ts'

export const commands: readonly Command[] = [list, show, retry, cancel, deliveries, replay, runs, stats]

const help = `Shows, retries and cancels background jobs and webhook deliveries.

${commands.map(({ name, operands, summary }) => `  npm run jobs -- ${`${name} ${operands}`.padEnd(15)} ${summary}`).join('\n')}

Each command has its own --help. Exit status: 0 when rows were found or changed, 1 when nothing
matched or a row could not be changed, 2 when the command is invalid or the database is unavailable.`

type Output = { print: (line: string) => void; printError: (line: string) => void }

/** Runs one command with the arguments after `npm run jobs --`. Returns the exit status, and never throws. */
export async function runJobs(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { print, printError }: Output,
): Promise<0 | 1 | 2> {
  const [name = '--help', ...rest] = argv
  if (['--help', '-h', 'help'].includes(name)) {
    print(help)
    return argv.length > 0 ? 0 : 2
  }
  const command = commands.find((command) => command.name === name)
  if (!command) {
    printError(`Unknown command "${name}".\n\n${help}`)
    return 2
  }
  try {
    const args = readArgs(rest, command.options, command.operands !== '')
    if (args.isHelp) {
      print(helpOf(command))
      return 0
    }
    const config = loadConfig(env)
    const clean = createOutputScrub(createScrub(config))
    const db = await openDb(config, 1)
    try {
      await requireKnownSchema(db)
      return await command.run({ db, print: (line) => print(clean(line)) }, args)
    } catch (error) {
      if (error instanceof UsageError) throw error
      printError(clean(error instanceof Error ? error.message : String(error)))
      return 2
    } finally {
      await db.end()
    }
  } catch (error) {
    printError(error instanceof Error ? error.message : String(error))
    if (error instanceof UsageError) printError(`\n${helpOf(command)}`)
    return 2
  }
}

if (import.meta.main) {
  // the reader of a pipe, such as `head`, may close it early
  process.stdout.on('error', () => process.exit())
  process.exitCode = await runJobs(process.argv.slice(2), process.env, {
    print: (line) => process.stdout.write(`${line}\n`),
    printError: (line) => process.stderr.write(`${line}\n`),
  })
}
