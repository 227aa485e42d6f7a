/** npm forwards the signal that the terminal has sent already: a repeat within this time is the same one. */
const echoMs = 700

/**
 * Returns a signal that aborts on Ctrl-C, SIGTERM, a closed terminal, and the end of the parent npm. A second
 * signal calls `force`.
 */
export function watchStopSignals(force: () => void): AbortSignal {
  const stop = new AbortController()
  let firstAt = 0
  const end = () => {
    if (!stop.signal.aborted) firstAt = Date.now()
    stop.abort(new Error('stopped'))
  }
  const onSignal = () => {
    if (!stop.signal.aborted) end()
    else if (Date.now() - firstAt > echoMs) force()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  // A closed terminal breaks the output streams; their errors must not prevent a clean stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  if (process.env.npm_lifecycle_event) watchParent(end)
  return stop.signal
}

/** Some shells between npm and this process exit without forwarding the signal: watch for a new parent. */
function watchParent(end: () => void): void {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    end()
  }, 500)
  watch.unref()
}
