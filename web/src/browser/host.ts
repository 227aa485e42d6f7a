import { noSession } from '../api/api-error.ts'

/** The app bridge: the platform's script sets it as a global, whose name the page states in a meta element. */
type Bridge = { idToken: () => Promise<string>; config?: { locale?: string } }

/** Empty without a page: tests run the modules that need none in Node. */
const meta = (name: string) =>
  globalThis.document?.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''

const globals = globalThis as unknown as Record<string, Bridge | undefined>
const bridge = globals[meta('page-global')]

/** Whether the page runs in the frame of a shop admin with an app bridge. The app works nowhere else. */
export const isInAdmin = bridge !== undefined && window.top !== window.self

/**
 * Whether the shop admin draws the app's navigation. Its bridge is the first script of the page, so the element with which
 * an app declares its pages (`shell/host-navigation.tsx`) is defined before this line runs.
 */
export const hasHostNavigation = globalThis.customElements?.get('s-app-nav') !== undefined

/** Calls `navigate` with the address of a link that the merchant chooses in the shop admin. Returns a function that removes the listener. */
export function onHostNavigate(navigate: (address: string) => void): () => void {
  const name = `${meta('page-global')}:navigate`
  const listen = (event: Event) => {
    const address = event.target instanceof Element ? event.target.getAttribute('href') : null
    if (address === null) return
    // otherwise the bridge would load the page anew
    event.preventDefault()
    navigate(address)
  }
  document.addEventListener(name, listen)
  return () => document.removeEventListener(name, listen)
}

export const adminUrl = meta('admin-url')

export const locale = supportedLocale([bridge?.config?.locale, navigator.language])

const tokenTimeoutMs = 10_000
let lastToken: string | undefined

/** Gets a session token, valid for about a minute: one for each request. Throws after 10 s without one. */
export async function idToken(): Promise<string> {
  if (!bridge) throw new Error('The app bridge is missing')
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error('No session token within 10 s')), tokenTimeoutMs)
  lastToken = await Promise.race([bridge.idToken(), timeout.promise]).finally(() => clearTimeout(timer))
  return lastToken
}

/**
 * The person at this device: the subject of the session token, without a network that of the last one. Throws ApiError when this
 * page had no session yet.
 */
export async function personId(): Promise<string> {
  const token = await idToken().catch(() => {
    if (lastToken === undefined) throw noSession()
    return lastToken
  })
  const [, claims = ''] = token.split('.')
  const { sub }: { sub: string } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))
  return sub
}

/** The nonce with which the content security policy allows style elements (`api/pages/admin-page.ts`). */
export const styleNonce = globalThis.document?.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? ''

function supportedLocale(candidates: (string | undefined)[]): string {
  for (const name of candidates) {
    try {
      if (name && Intl.NumberFormat.supportedLocalesOf(name).length > 0) return name
    } catch {
      // not a valid locale name
    }
  }
  return 'en'
}
