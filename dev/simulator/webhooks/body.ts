/**
 * Serialises a body as the platform does. A `bigint` id becomes a plain number with all its digits. `<`, `>`, `&`
 * and `/` are escaped, so a parsed and re-serialised body has another signature.
 */
export function writeBody(payload: Readonly<Record<string, unknown>>): string {
  const withMarks = JSON.stringify(payload, (_name, value) =>
    typeof value === 'bigint'
      ? `\0${value}\0`
      : typeof value === 'string'
        ? value.replaceAll('\0', '')
        : value,
  )
  return withMarks
    .replace(/"\\u0000(\d+)\\u0000"/g, '$1')
    .replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)
    .replaceAll('/', '\\/')
}

/** Formats an instant for a body: in the shop's time zone, to the second. */
export function localTime(at: string, timeZone: string): string {
  const time = new Date(at)
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(time)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  const offset = name === 'GMT' ? '+00:00' : name.slice('GMT'.length)
  const [hours = '0', minutes = '0'] = offset.slice(1).split(':')
  const shift = (Number(hours) * 60 + Number(minutes)) * (offset.startsWith('-') ? -60_000 : 60_000)
  return `${new Date(time.getTime() + shift).toISOString().slice(0, 19)}${offset}`
}
