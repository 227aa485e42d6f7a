// The shop admin's counterpart of app-bridge.js: sends session tokens to the app in the frame, and shows the app's
// path in the browser's address.
{
  const frame = document.querySelector('iframe.app')
  const app = new URL(frame.src).origin
  const { shop, base } = frame.dataset

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
    }
  })
}
