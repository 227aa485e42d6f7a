/** What a job's payload names; a payload that is a list names several. */
export type PayloadEntry = { shopId?: number; [name: string]: unknown }

/**
 * The ids in a payload beside the shop's, those of a list under one name each: `{ deliveryId: [1, 2] }`. Anything else
 * that somebody may have put into a payload by hand is left out, so that it can be shown and kept.
 */
export function payloadIds(payload: unknown): Record<string, unknown> {
  if (!Array.isArray(payload)) return Object.fromEntries(idsIn(payload))
  const ids = new Map<string, unknown[]>()
  for (const [name, id] of payload.flatMap(idsIn)) {
    const sameName = ids.get(name)
    if (sameName) sameName.push(id)
    else ids.set(name, [id])
  }
  return Object.fromEntries(ids)
}

function idsIn(entry: unknown): [string, unknown][] {
  if (typeof entry !== 'object' || entry === null) return []
  return Object.entries(entry).filter(
    ([name, value]) => name !== 'shopId' && /^\w{1,40}$/.test(name) && isId(value),
  )
}

const isId = (value: unknown) =>
  Number.isSafeInteger(value) || (typeof value === 'string' && /^gid:\/\/[\w/]{1,100}$/.test(value))
