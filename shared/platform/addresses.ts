import type { Config } from '../config.ts'

type AddressTemplate =
  | 'PLATFORM_SHOP_AUTH_URL'
  | 'PLATFORM_GRAPHQL_URL'
  | 'PLATFORM_ADMIN_APP_URL'
  | 'PLATFORM_FRAME_ANCESTORS'

/** A platform address for one shop. The caller has validated the domain with `parseShopDomain`. */
export function platformAddress(config: Config, template: AddressTemplate, shopDomain: string): string {
  return config[template]
    .replaceAll('{shop_domain}', shopDomain)
    .replaceAll('{api_key}', encodeURIComponent(config.PLATFORM_API_KEY))
}
