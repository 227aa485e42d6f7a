import t, { type Test } from 'tap'

/** A thread that waits this long for work starts once in a test process. */
export const idleTimeoutMs = 600_000

type WithTeardown = Pick<Test, 'teardown'>

const handlers: Parameters<WithTeardown['teardown']>[0][] = []

/** As a test that ends with this process: takes the teardowns of what its test files share. */
export const processEnd: WithTeardown = {
  teardown(handler) {
    // a process of `test/run.ts` ends after several files, one of `tap` after one
    if (process.env.TEST_RUNNER) handlers.unshift(handler)
    else t.teardown(handler)
  },
}

/** Closes what the files of this process shared, after the last file. */
export async function endProcess(): Promise<void> {
  for (const handler of handlers.splice(0)) await handler()
}
