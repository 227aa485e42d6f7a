/** What the platform's script puts into the page, under a name that differs by platform. */
type Bridge = { idToken: () => Promise<string>; config?: { locale?: string; shop?: string } }

const meta = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''

const globals = globalThis as unknown as Record<string, Bridge | undefined>
const bridge = globals[meta('page-global')]

/** Whether the page is in the frame of a shop admin that speaks with it. Nothing works elsewhere. */
export const isInAdmin = bridge !== undefined && window.top !== window.self

/** Where the shop admin shows this app. */
export const adminUrl = meta('admin-url')

/** How the person in front of the screen writes dates and numbers. */
export const locale = supportedLocale([bridge?.config?.locale, navigator.language])

/** Whose admin this is. */
export const shop = bridge?.config?.shop ?? new URLSearchParams(location.search).get('shop') ?? ''

const patienceMs = 10_000

/** A session token, valid for about a minute: one for each request. Throws when the shop admin gives none in time. */
export async function idToken(): Promise<string> {
  if (!bridge) throw new Error('The platform’s script is not there')
  const silence = Promise.withResolvers<never>()
  const timer = setTimeout(() => silence.reject(new Error('The shop admin is silent')), patienceMs)
  return Promise.race([bridge.idToken(), silence.promise]).finally(() => clearTimeout(timer))
}

/** The nonce that lets components add style elements (`api/pages/admin-page.ts`). */
export const styleNonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? ''

function supportedLocale(wanted: (string | undefined)[]): string {
  for (const name of wanted) {
    try {
      if (name && Intl.NumberFormat.supportedLocalesOf(name).length > 0) return name
    } catch {
      // not a name of a locale at all
    }
  }
  return 'en'
}
