// The shop admin's counterpart of app-bridge.js: sends session tokens to the app in the frame, shows the app's path in the
// browser's address, and draws the links that the app declares.
{
  const frame = document.querySelector('iframe.app')
  const app = new URL(frame.src).origin
  const { shop, base } = frame.dataset
  const side = document.querySelector('#side')
  const appLink = side.querySelector(`a[href="${frame.dataset.admin}"]`)
  const appPages = side.querySelector('.app-pages')
  let shownPath = location.pathname.slice(base.length) || '/'

  async function mint() {
    const response = await fetch(`/shops/${shop}/session-token`)
    return response.ok ? (await response.json()).token : undefined
  }

  addEventListener('message', async ({ origin, source, data }) => {
    if (origin !== app || source !== frame.contentWindow) return
    if (data?.kind === 'id-token') {
      const token = await mint().catch(() => undefined)
      source.postMessage({ kind: 'id-token', id: data.id, token }, app)
    }
    if (data?.kind === 'moved') {
      const path = String(data.path)
      history.replaceState(null, '', base + (path === '/' ? '' : path) + String(data.search))
      shownPath = path
      markCurrent()
    }
    if (data?.kind === 'navigation') draw(data.items)
  })

  function draw(items) {
    const links = items.map(({ href, name }) => {
      const link = document.createElement('a')
      link.href = base + href
      link.textContent = name
      link.addEventListener('click', (event) => go(event, href))
      return link
    })
    appPages.replaceChildren(...links)
    markCurrent()
  }

  // the longest link that the path begins with is current, else the app itself
  function markCurrent() {
    const isIn = (link) => {
      const path = link.pathname.slice(base.length)
      return shownPath === path || shownPath.startsWith(`${path}/`)
    }
    const [current] = [...appPages.children]
      .filter(isIn)
      .sort((a, b) => b.pathname.length - a.pathname.length)
    for (const link of [appLink, ...appPages.children]) link.removeAttribute('aria-current')
    const marked = current ?? appLink
    marked.setAttribute('aria-current', 'page')
  }

  function go(event, href) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    if (side.matches(':popover-open')) side.hidePopover()
    frame.contentWindow.postMessage({ kind: 'navigate', href }, app)
  }

  appLink.addEventListener('click', (event) => {
    if (appPages.childElementCount > 0) go(event, '/')
  })
}
