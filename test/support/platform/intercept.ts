import nock from 'nock'
import type { Test } from 'tap'

// importing nock replaces the sockets of the process, which a later test file may need as they are
nock.restore()

let tests = 0

/**
 * Until the test ends, no request leaves this process except to 127.0.0.1. The test names the other requests that it expects,
 * and their responses, with the returned function.
 */
export function interceptRequests(t: Pick<Test, 'teardown'>): typeof nock {
  if (!nock.isActive()) nock.activate()
  nock.disableNetConnect()
  nock.enableNetConnect(/^127\.0\.0\.1/)
  tests += 1
  t.teardown(() => {
    tests -= 1
    nock.cleanAll()
    if (tests > 0) return
    nock.enableNetConnect()
    nock.restore()
  })
  return nock
}
