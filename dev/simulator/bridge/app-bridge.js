// The script that an embedded app loads from the platform, as far as Quartermaster needs it: who asks (`idToken`), where
// it is (`config`), and addresses that the shop admin shows. The shop admin around the frame has the other half, in
// admin-frame.js.
{
  const admin = new URL(document.currentScript.src).origin
  const query = new URLSearchParams(location.search)
  const waiting = new Map()
  let last = 0

  const tell = (message) => parent.postMessage(message, admin)

  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== admin || source !== parent || data?.kind !== 'id-token') return
    const { resolve, reject } = waiting.get(data.id) ?? {}
    waiting.delete(data.id)
    if (data.token) resolve?.(data.token)
    else reject?.(new Error('The shop admin gave no token'))
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
        last += 1
        waiting.set(last, { resolve, reject })
        tell({ kind: 'id-token', id: last })
      }),
  }

  // what the platform itself has put into the address stays out of what it shows
  const moved = () => {
    const own = new URLSearchParams(location.search)
    for (const name of ['shop', 'host', 'embedded', 'locale']) own.delete(name)
    tell({ kind: 'moved', path: location.pathname, search: own.size > 0 ? `?${own}` : '' })
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
