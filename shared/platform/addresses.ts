import type { Config } from '../config.ts'

export type AddressTemplate =
  | 'PLATFORM_SHOP_AUTH_URL'
  | 'PLATFORM_GRAPHQL_URL'
  | 'PLATFORM_ADMIN_APP_URL'
  | 'PLATFORM_FRAME_ANCESTORS'

/** An address of the platform for one shop. The domain must have been through `parseShopDomain`. */
export function platformAddress(config: Config, template: AddressTemplate, shopDomain: string): string {
  return config[template]
    .replaceAll('{shop_domain}', shopDomain)
    .replaceAll('{api_key}', encodeURIComponent(config.PLATFORM_API_KEY))
}
