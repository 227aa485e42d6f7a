import type { Secrets } from './secrets.ts'

export type Addresses = { databaseUrl: string; webPort: number; webUrl: string; simulatorUrl: string }

/** Addresses, keys and identities: `npm start` sets them itself and ignores the developer's values. */
const ownVariables = /^(PG|DATABASE_|PLATFORM|POSTMARK_|TOKEN_ENCRYPTION_|MAIL_FROM$|APP_URL$|HOST$|PORT$)/

/** The environment of every process that `npm start` runs (`shared/config.ts`); only this machine reaches web. */
export function makeEnvironment(
  inherited: Readonly<Record<string, string | undefined>>,
  { databaseUrl, webPort, webUrl, simulatorUrl }: Addresses,
  secrets: Secrets,
  isVerbose: boolean,
): Record<string, string | undefined> {
  const inheritedRest = Object.fromEntries(
    Object.entries(inherited).filter(([name]) => !ownVariables.test(name)),
  )
  return {
    LOG_LEVEL: isVerbose ? 'info' : 'warn',
    ...inheritedRest,
    ...secrets,
    DATABASE_URL: databaseUrl,
    PORT: String(webPort),
    HOST: '127.0.0.1',
    APP_URL: webUrl,
    PLATFORM: 'neutral',
    PLATFORM_SHOP_AUTH_URL: `${simulatorUrl}/shops/{shop_domain}/admin/oauth`,
    PLATFORM_GRAPHQL_URL: `${simulatorUrl}/shops/{shop_domain}/admin/api/2026-07/graphql.json`,
    PLATFORM_ADMIN_APP_URL: `${simulatorUrl}/shops/{shop_domain}/admin/apps/{api_key}`,
    PLATFORM_FRAME_ANCESTORS: simulatorUrl,
    PLATFORM_APP_BRIDGE_URL: `${simulatorUrl}/app-bridge.js`,
    PLATFORM_PICTURE_ORIGINS: new URL(simulatorUrl).origin,
    POSTMARK_API_URL: simulatorUrl,
    MAIL_FROM: 'Quartermaster <orders@quartermaster.example>',
  }
}
