/** One entry of a job's payload. A payload is one entry or a list of them. */
export type PayloadEntry = { shopId?: number; [name: string]: unknown }

/** Leaves out all but ids, since an operator may have added values by hand: safe to show and to store. */
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
