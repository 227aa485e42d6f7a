import { createBrowserHistory, type RouterHistory } from '@tanstack/react-router'

/** When a page that nobody sees has no frames, or the next one takes long. */
const maxWaitMs = 100

/**
 * The browser's history, but that a click which leads to another page is answered by a frame before that page is drawn:
 * it takes longer than a frame. Whatever stays on the page, as a filter does, happens at once; while somebody is
 * leaving it counts for nothing. Of two who leave the later one does.
 */
export function createDeferredHistory(): RouterHistory {
  const history = createBrowserHistory()
  const { push, replace, go, back, forward } = history
  let leaving: (() => void) | undefined

  const leave = () => {
    const work = leaving
    leaving = undefined
    work?.()
  }
  const afterLeaving =
    <A extends unknown[]>(work: (...args: A) => void) =>
    (...args: A) => {
      leave()
      work(...args)
    }

  history.push = (path, ...rest) => {
    const isHere = new URL(path, location.href).pathname === location.pathname
    if (isHere && !leaving) push(path, ...rest)
    if (isHere) return
    leaving = () => push(path, ...rest)
    requestAnimationFrame(() => setTimeout(leave))
    setTimeout(leave, maxWaitMs)
  }
  history.replace = afterLeaving(replace)
  history.go = afterLeaving(go)
  history.back = afterLeaving(back)
  history.forward = afterLeaving(forward)
  return history
}
