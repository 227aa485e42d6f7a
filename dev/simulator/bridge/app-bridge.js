// The script that an embedded app loads from the platform, with the parts that Quartermaster uses: session tokens
// (`idToken`), the shop (`config`), and the address in the shop admin. Its counterpart in the page around the frame
// is admin-frame.js.
{
  const admin = new URL(document.currentScript.src).origin
  const query = new URLSearchParams(location.search)
  const pending = new Map()
  let lastId = 0

  const sendMessage = (message) => parent.postMessage(message, admin)

  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== admin || source !== parent || data?.kind !== 'id-token') return
    const { resolve, reject } = pending.get(data.id) ?? {}
    pending.delete(data.id)
    if (data.token) resolve?.(data.token)
    else reject?.(new Error('The shop admin returned no token'))
  })

  globalThis.platform = {
    config: {
      apiKey: document.querySelector('meta[name="platform-api-key"]')?.content,
      shop: query.get('shop') ?? undefined,
      host: query.get('host') ?? undefined,
      locale: query.get('locale') ?? undefined,
    },
    idToken: () =>
      new Promise((resolve, reject) => {
        lastId += 1
        pending.set(lastId, { resolve, reject })
        sendMessage({ kind: 'id-token', id: lastId })
      }),
  }

  // do not report the parameters that the platform has added
  const moved = () => {
    const own = new URLSearchParams(location.search)
    for (const name of ['shop', 'host', 'embedded', 'locale']) own.delete(name)
    sendMessage({ kind: 'moved', path: location.pathname, search: own.size > 0 ? `?${own}` : '' })
  }
  for (const name of ['pushState', 'replaceState']) {
    const change = history[name]
    history[name] = function (...args) {
      change.apply(this, args)
      moved()
    }
  }
  addEventListener('popstate', moved)
}
