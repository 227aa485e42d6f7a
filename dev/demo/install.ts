/** Longer than the way to the platform's consent page and back. */
const maxHops = 5

/**
 * Installs the app in a shop the way a merchant's browser does: along every redirect, with the cookies it is given.
 * The simulator consents by itself. Throws, with the page that said no, when it does not end in the shop's admin.
 */
export async function installApp(webUrl: string, simulatorUrl: string, shop: string): Promise<void> {
  const cookies = new Map<string, string>()
  let url = `${webUrl}/auth?shop=${shop}`
  for (let hops = 0; hops < maxHops; hops += 1) {
    const isConsent = url.includes('/admin/oauth/authorize')
    const response = await fetch(isConsent ? `${url}&approve=auto` : url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (!location)
      throw new Error(`The app was not installed: ${url.split('?')[0]} answered ${response.status}`)
    await response.body?.cancel()
    url = new URL(location, url).href
    if (url.startsWith(`${simulatorUrl}/shops/${shop}/admin/apps/`)) return
  }
  throw new Error('The app was not installed: the redirects lead nowhere')
}
