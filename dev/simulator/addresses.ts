export type Address = { Email: string; Name: string }

const mailbox = /^[a-z0-9!#$%&'`*+\-/=?^_{|}~]+(\.[a-z0-9!#$%&'`*+\-/=?^_{|}~]+)*$/i
const domain = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i

/** Reads a comma-separated list; `undefined` when Postmark would refuse it, as names with bare punctuation. */
export function parseAddresses(text: string): Address[] | undefined {
  const parts = text.match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? []
  const addresses = parts.map(parseAddress)
  return addresses.every((address) => address !== undefined) && addresses.length > 0 ? addresses : undefined
}

function parseAddress(text: string): Address | undefined {
  const [, rawName, inBrackets] = /^(.*?)<([^<>]*)>$/s.exec(text.trim()) ?? []
  const email = (inBrackets ?? text).trim()
  const at = email.lastIndexOf('@')
  if (at < 1 || !mailbox.test(email.slice(0, at)) || !domain.test(email.slice(at + 1))) return undefined
  const name = (rawName ?? '').trim()
  const quoted = /^"((?:[^"\\]|\\.)*)"$/s.exec(name)
  if (!quoted && /[()<>[\]:;@\\,."]/.test(name)) return undefined
  return { Email: email, Name: quoted?.[1]?.replace(/\\(.)/gs, '$1') ?? name }
}

export function formatAddress({ Email, Name }: Address): string {
  return Name ? `${/^[^()<>[\]:;@\\,."]*$/.test(Name) ? Name : JSON.stringify(Name)} <${Email}>` : Email
}
