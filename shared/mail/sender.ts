import { oneLine } from '../one-line.ts'

/** Longer names are cut. */
const maxNameLength = 100
const product = 'Quartermaster'

/**
 * Suppliers know the shop and not this service, so the sender is the address of the service with the shop's name.
 * Example: `Quartermaster <orders@example.com>` and `Kestrel & Vine Ltd` give
 * `"Kestrel & Vine Ltd via Quartermaster" <orders@example.com>`. The name is quoted without the characters that end a quote or
 * begin an address, so it cannot become another sender.
 */
export function senderOf(mailFrom: string, shopName: string): string {
  const [, service = '', address = mailFrom] = /^([^<]*)<([^>]*)>$/.exec(mailFrom) ?? []
  const via = plain(service) || product
  const name = plain(shopName)
  const shown = name === '' ? via : `${name} via ${via}`
  return `"${shown}" <${address}>`
}

const plain = (text: string) =>
  oneLine(text.replace(/[\p{C}"\\<>@]/gu, ' '))
    .trim()
    .slice(0, maxNameLength)
    .toWellFormed()
    .trim()
