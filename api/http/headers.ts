import helmet from 'helmet'

/** Sets the security headers of every response. HTML pages replace the content security policy. */
export const setSafeHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { 'default-src': "'none'", 'frame-ancestors': "'none'" },
  },
  frameguard: false,
})

/** The same headers for responses without hooks: to URLs that cannot be decoded and to malformed HTTP. */
export const hooklessHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
} as const
