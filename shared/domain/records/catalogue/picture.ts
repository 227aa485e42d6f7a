const maxLength = 2_000

/** Of a product without a picture, and of one whose picture is not used. */
const noPicture = ''

/** The address of a picture as it is stored: an absolute one without spaces, else none. */
export function readPicture(address: string | null | undefined): string {
  const isUsable =
    typeof address === 'string' &&
    address.length <= maxLength &&
    /^https?:\/\/\S+$/.test(address) &&
    URL.canParse(address)
  return isUsable ? address : noPicture
}

const thumbnailPixels = '120'

/**
 * The address that the admin shows, of a small version: the platform's network reads `width`. Null without a picture, and
 * for one of another origin than the platform's: the merchant's browser would tell that host which page it is on.
 */
export function thumbnailOf(stored: string | null, origins: readonly string[]): string | null {
  if (stored === null || stored === noPicture) return null
  const url = new URL(stored)
  if (!origins.includes(url.origin)) return null
  url.searchParams.set('width', thumbnailPixels)
  return url.href
}
