import { loadConfig } from '../../shared/config.ts'
import { openDb } from '../../shared/db/db.ts'
import { requireKnownSchema } from '../../shared/db/schema-state.ts'
import { createScrub } from '../../shared/telemetry/scrub.ts'
import { type Command, helpOf } from './jobs/command.ts'
import { deliveries, replay } from './jobs/deliveries.ts'
import { list } from './jobs/list.ts'
import { readArgs, UsageError } from './jobs/options.ts'
import { cancel, retry } from './jobs/retry-and-cancel.ts'
import { runs } from './jobs/runs.ts'
import { show } from './jobs/show.ts'
import { stats } from './jobs/stats.ts'
import { createClean } from './jobs/words.ts'

/** Every command there is. */
export const commands: readonly Command[] = [list, show, retry, cancel, deliveries, replay, runs, stats]

const help = `Looks at background work and has it done again.

${commands.map(({ name, operands, summary }) => `  npm run jobs -- ${`${name} ${operands}`.padEnd(15)} ${summary}`).join('\n')}

Each has its own --help. Ends with 0 when something was found or done, 1 when nothing matched or
something could not be changed, 2 when the command is not right or the database cannot be used.`

export type Output = { say: (line: string) => void; complain: (line: string) => void }

/** Runs one command with the words that follow `npm run jobs --`. Never throws: answers the exit status. */
export async function runJobs(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { say, complain }: Output,
): Promise<0 | 1 | 2> {
  const [name = '--help', ...rest] = words
  if (['--help', '-h', 'help'].includes(name)) {
    say(help)
    return words.length > 0 ? 0 : 2
  }
  const command = commands.find((one) => one.name === name)
  if (!command) {
    complain(`There is no command "${name}".\n\n${help}`)
    return 2
  }
  try {
    const args = readArgs(rest, command.options, command.operands !== '')
    if (args.isHelp) {
      say(helpOf(command))
      return 0
    }
    const config = loadConfig(env)
    const clean = createClean(createScrub(config))
    const db = await openDb(config, 1)
    try {
      await requireKnownSchema(db)
      return await command.run({ db, print: (line) => say(clean(line)) }, args)
    } catch (error) {
      if (error instanceof UsageError) throw error
      complain(clean(error instanceof Error ? error.message : String(error)))
      return 2
    } finally {
      await db.end()
    }
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error))
    if (error instanceof UsageError) complain(`\n${helpOf(command)}`)
    return 2
  }
}

if (import.meta.main) {
  // as when its output goes to `head`
  process.stdout.on('error', () => process.exit())
  process.exitCode = await runJobs(process.argv.slice(2), process.env, {
    say: (line) => process.stdout.write(`${line}\n`),
    complain: (line) => process.stderr.write(`${line}\n`),
  })
}
