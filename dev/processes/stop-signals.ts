/** npm passes on the signal that the terminal has sent us already: so soon after the first it is not a second one. */
const echoMs = 700

/**
 * Turns Ctrl-C, SIGTERM, a closed terminal and the end of the npm that runs us into an abort. When a signal comes
 * again after that, `force` is called.
 */
export function watchStopSignals(force: () => void): AbortSignal {
  const stop = new AbortController()
  let firstAt = 0
  const end = () => {
    if (!stop.signal.aborted) firstAt = Date.now()
    stop.abort(new Error('stopped'))
  }
  const hear = () => {
    if (!stop.signal.aborted) end()
    else if (Date.now() - firstAt > echoMs) force()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, hear)
  // Who reads our output may be gone, as when a terminal closes; that must not keep us from ending the rest.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  if (process.env.npm_lifecycle_event) watchParent(end)
  return stop.signal
}

/** npm hands a signal to the shell between us and it. Some shells end then and tell nobody: we see them gone. */
function watchParent(end: () => void): void {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    end()
  }, 500)
  watch.unref()
}
