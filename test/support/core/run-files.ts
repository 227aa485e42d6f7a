import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import root from 'tap'

// Runs the test files of its arguments one after another in this process. Each becomes one subtest: what a file adds
// to the root test that it imports from tap goes to the subtest of the file.
const runFile = root.test.bind(root)
for (const file of process.argv.slice(2)) {
  await runFile(relative(process.cwd(), file).replaceAll('\\', '/'), async (t) => {
    Object.assign(root, {
      test: t.test.bind(t),
      teardown: t.teardown.bind(t),
      setTimeout: t.setTimeout.bind(t),
    })
    await import(pathToFileURL(file).href)
  })
}
