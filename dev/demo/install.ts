/** More redirects than the path to the consent page and back has. */
const maxRedirects = 5

/**
 * Installs the app in a shop as a merchant's browser does: it follows every redirect with its cookies, and approves
 * the consent page. Throws, with the failing page, when the path does not end in the shop's admin.
 */
export async function installApp(webUrl: string, simulatorUrl: string, shop: string): Promise<void> {
  const cookies = new Map<string, string>()
  let url = `${webUrl}/auth?shop=${shop}`
  for (let redirects = 0; redirects < maxRedirects; redirects += 1) {
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
      throw new Error(`The app was not installed: ${url.split('?')[0]} returned ${response.status}`)
    await response.body?.cancel()
    url = new URL(location, url).href
    if (url.startsWith(`${simulatorUrl}/shops/${shop}/admin/apps/`)) return
  }
  throw new Error('The app was not installed: too many redirects')
}
