import { fileURLToPath } from 'node:url'
import { checkStatements } from './statements/find-violations.ts'

const violations = checkStatements(fileURLToPath(new URL('..', import.meta.url)))
for (const violation of violations) console.error(violation)
if (violations.length > 0) {
  console.error(
    'docs/operations.md, "Many machines", has the rules; dev/statements/exceptions.ts has the exceptions.',
  )
  process.exitCode = 1
}
