import { type Static, Type } from '@sinclair/typebox'
import { compressScopes, scopeDescriptions } from '../shops/scopes.ts'

const Text = Type.String({ maxLength: 2000 })

/** The query of a redirect to the consent page. The simulator ignores other parameters. */
export const AuthorizeQuery = Type.Object({
  client_id: Text,
  redirect_uri: Text,
  scope: Type.String({ maxLength: 2000, default: '' }),
  state: Type.String({ maxLength: 2000, default: '' }),
  approve: Type.Optional(Text),
})
export type AuthorizeQuery = Static<typeof AuthorizeQuery>

export type AuthorizeRequest = { scopes: string[]; redirectUri: URL; state: string }

/** The parsed request, or the reason why the merchant must not see it. */
export function readAuthorizeRequest(
  query: AuthorizeQuery,
  app: { apiKey: string; appUrl: string | undefined },
): AuthorizeRequest | string {
  if (query.client_id !== app.apiKey) return 'No app has this client_id.'
  if (!URL.canParse(query.redirect_uri)) return 'The redirect_uri is not a valid address.'
  const redirectUri = new URL(query.redirect_uri)
  if (!/^https?:$/.test(redirectUri.protocol) || redirectUri.username || redirectUri.hash)
    return 'The redirect_uri is not an address of an app.'
  if (app.appUrl !== undefined && !isBelow(redirectUri, new URL(app.appUrl)))
    return 'The redirect_uri is not an address of this app.'
  const scopes = query.scope.split(/[,\s]+/).filter((scope) => scope !== '')
  const unknown = scopes.find((scope) => !Object.hasOwn(scopeDescriptions, scope))
  if (unknown !== undefined) return `Unknown scope “${unknown}”.`
  return { scopes: compressScopes(scopes), redirectUri, state: query.state }
}

const isBelow = (address: URL, app: URL) =>
  address.origin === app.origin &&
  `${address.pathname}/`.startsWith(app.pathname.endsWith('/') ? app.pathname : `${app.pathname}/`)
