import { randomBytes } from 'node:crypto'
import { instant } from './seed.ts'

export type AccessToken = { token: string; scopes: string[]; expiresAt: number | null }
export type RefreshToken = { token: string; scopes: string[]; expiresAt: number }
export type AuthCode = { code: string; scopes: string[]; expiresAt: number }

/** The app's permissions in a shop. Without `installedAt` the app is not installed. */
export type AccessState = {
  installedAt: string | null
  scopes: string[]
  codes: AuthCode[]
  tokens: AccessToken[]
  refreshTokens: RefreshToken[]
}

export const noAccess = (): AccessState => ({
  installedAt: null,
  scopes: [],
  codes: [],
  tokens: [],
  refreshTokens: [],
})

/** The response to a token request, in wire format. */
export type TokenResponse = {
  access_token: string
  scope: string
  expires_in?: number
  refresh_token?: string
  refresh_token_expires_in?: number
}

export type Access = {
  isInstalled: () => boolean
  /** Issues a code that can be used once within ten minutes. */
  issueCode: (scopes: string[]) => string
  /** Installs the app or issues another token; `undefined` when the code is invalid. */
  exchangeCode: (code: string, isExpiring: boolean) => TokenResponse | undefined
  /** Exchanges a refresh token, which can be used once. */
  refresh: (refreshToken: string) => TokenResponse | undefined
  /** The scopes of a token; `undefined` when it is unknown or expired. */
  scopesOf: (token: string) => string[] | undefined
  /** The valid access tokens. */
  tokens: () => string[]
  revokeAll: () => void
}

const codeLifeMs = 600_000
const tokenLifeSeconds = 3600
const refreshLifeSeconds = 7_776_000

export function createAccess(state: AccessState, changed: () => void): Access {
  const secret = (kind: string) => `${kind}_${randomBytes(16).toString('hex')}`
  const isAlive = ({ expiresAt }: { expiresAt: number | null }) =>
    expiresAt === null || expiresAt > Date.now()

  /** Removes the entry, so that it cannot be used twice. */
  function consume<T extends { expiresAt: number }>(
    list: T[],
    matches: (entry: T) => boolean,
  ): T | undefined {
    const index = list.findIndex(matches)
    const [found] = index < 0 ? [] : list.splice(index, 1)
    changed()
    return found && isAlive(found) ? found : undefined
  }

  function issueToken(scopes: string[], isExpiring: boolean): TokenResponse {
    const token = secret('at')
    const expiresAt = isExpiring ? Date.now() + tokenLifeSeconds * 1000 : null
    state.tokens = [...state.tokens.filter(isAlive), { token, scopes, expiresAt }]
    changed()
    if (!isExpiring) return { access_token: token, scope: scopes.join(',') }
    const refreshToken = secret('rt')
    state.refreshTokens.push({
      token: refreshToken,
      scopes,
      expiresAt: Date.now() + refreshLifeSeconds * 1000,
    })
    return {
      access_token: token,
      scope: scopes.join(','),
      expires_in: tokenLifeSeconds,
      refresh_token: refreshToken,
      refresh_token_expires_in: refreshLifeSeconds,
    }
  }

  return {
    isInstalled: () => state.installedAt !== null,
    issueCode(scopes) {
      const code = randomBytes(16).toString('hex')
      state.codes = [...state.codes.filter(isAlive), { code, scopes, expiresAt: Date.now() + codeLifeMs }]
      changed()
      return code
    },
    exchangeCode(code, isExpiring) {
      const found = consume(state.codes, (entry) => entry.code === code)
      if (!found) return undefined
      state.installedAt ??= instant(new Date())
      state.scopes = found.scopes
      return issueToken(found.scopes, isExpiring)
    },
    refresh(refreshToken) {
      const found = consume(state.refreshTokens, ({ token }) => token === refreshToken)
      return found && issueToken(found.scopes, true)
    },
    scopesOf: (token) => state.tokens.find((entry) => entry.token === token && isAlive(entry))?.scopes,
    tokens: () => state.tokens.filter(isAlive).map(({ token }) => token),
    revokeAll() {
      Object.assign(state, noAccess())
      changed()
    },
  }
}
