import { createBrowserHistory, type RouterHistory } from '@tanstack/react-router'

/** Navigates after this time even without a frame: a hidden tab draws none. */
const maxWaitMs = 100

/**
 * The browser's history, with a deferred `push`: rendering another page takes longer than a frame, so the browser first
 * draws a frame that confirms the click.
 * - A push to another page waits for the next frame. A second one replaces the first.
 * - A push that stays on the page, such as a filter, happens immediately. While a push to another page waits, it is ignored.
 * - Any other call first performs the push that waits.
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

  history.push = (path, ...rest) => {
    const isSamePage = new URL(path, location.href).pathname === location.pathname
    if (isSamePage && !pendingPush) push(path, ...rest)
    if (isSamePage) return
    pendingPush = () => push(path, ...rest)
    requestAnimationFrame(() => setTimeout(flush))
    setTimeout(flush, maxWaitMs)
  }
  history.replace = afterFlush(replace)
  history.go = afterFlush(go)
  history.back = afterFlush(back)
  history.forward = afterFlush(forward)
  return history
}
