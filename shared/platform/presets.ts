/** All differences between the supported platforms. No other code depends on which platform is configured. */
export const presets = {
  neutral: {
    headerPrefix: 'X-Platform-',
    accessTokenHeader: 'X-Platform-Access-Token',
    gidNamespace: 'platform',
    pageGlobal: 'platform',
    tokenRequest: {},
    // Whether a signed query must contain the time of signing.
    signsTime: false,
    variables: {
      PLATFORM_SHOP_DOMAIN_SUFFIX: '.myshop.example',
      PLATFORM_SHOP_AUTH_URL: 'https://{shop_domain}/admin/oauth',
      PLATFORM_GRAPHQL_URL: 'https://{shop_domain}/admin/api/2026-07/graphql.json',
      PLATFORM_ADMIN_APP_URL: 'https://{shop_domain}/admin/apps/{api_key}',
      PLATFORM_FRAME_ANCESTORS: 'https://{shop_domain}',
      PLATFORM_APP_BRIDGE_URL: 'https://platform.example/app-bridge.js',
      PLATFORM_PICTURE_ORIGINS: 'https://platform.example',
    },
  },
  shopify: {
    headerPrefix: 'X-Shopify-',
    accessTokenHeader: 'X-Shopify-Access-Token',
    gidNamespace: 'shopify',
    pageGlobal: 'shopify',
    tokenRequest: { expiring: '1' },
    signsTime: true,
    variables: {
      PLATFORM_SHOP_DOMAIN_SUFFIX: '.myshopify.com',
      PLATFORM_SHOP_AUTH_URL: 'https://{shop_domain}/admin/oauth',
      PLATFORM_GRAPHQL_URL: 'https://{shop_domain}/admin/api/2026-07/graphql.json',
      PLATFORM_ADMIN_APP_URL: 'https://{shop_domain}/admin/apps/{api_key}',
      PLATFORM_FRAME_ANCESTORS: 'https://{shop_domain} https://admin.shopify.com',
      PLATFORM_APP_BRIDGE_URL: 'https://cdn.shopify.com/shopifycloud/app-bridge.js',
      PLATFORM_PICTURE_ORIGINS: 'https://cdn.shopify.com',
    },
  },
} as const
