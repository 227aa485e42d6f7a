import { createBrowserHistory, type RouterHistory } from '@tanstack/react-router'

/** Navigates after this time even without a frame: a hidden tab draws none. */
const maxWaitMs = 100

/**
 * Defers a `push` to another page until the browser has drawn a frame that confirms the click. A second push replaces
 * the first. A push or a replacement within the page happens immediately, or is ignored while one waits: the user has
 * left the page. Other calls first perform that.
 */
export function createDeferredHistory(): RouterHistory {
  const history = createBrowserHistory()
  const { push, replace, go, back, forward } = history
  let pendingPush: (() => void) | undefined

  const flush = () => {
    const run = pendingPush
    pendingPush = undefined
    run?.()
  }
  const afterFlush =
    <A extends unknown[]>(navigate: (...args: A) => void) =>
    (...args: A) => {
      flush()
      navigate(...args)
    }

  const isSamePage = (path: string) => new URL(path, location.href).pathname === location.pathname

  history.push = (path, ...rest) => {
    if (isSamePage(path)) {
      if (!pendingPush) push(path, ...rest)
      return
    }
    pendingPush = () => push(path, ...rest)
    requestAnimationFrame(() => setTimeout(flush))
    setTimeout(flush, maxWaitMs)
  }
  const replaceAfterFlush = afterFlush(replace)
  history.replace = (path, ...rest) => {
    if (!pendingPush || !isSamePage(path)) replaceAfterFlush(path, ...rest)
  }
  history.go = afterFlush(go)
  history.back = afterFlush(back)
  history.forward = afterFlush(forward)
  return history
}
