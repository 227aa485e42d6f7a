/* Parts of the address of a page, each checked: what has another form is left out. */

/** The search, for `SearchField`. The router parses digits as a number. */
export function readSearch({ search }: Record<string, unknown>): { search?: string } {
  const text = ['string', 'number'].includes(typeof search) ? String(search).trim().slice(0, 200) : ''
  return text === '' ? {} : { search: text }
}

/** The order of a list: oldest first, or by one of these columns, with `-` from the highest on. */
export function readSort<const Column extends string>(
  { sort }: Record<string, unknown>,
  columns: readonly Column[],
): { sort?: 'oldest' | Column | `-${Column}` } {
  const sorts = ['oldest' as const, ...columns.flatMap((column) => [column, `-${column}` as const])]
  const known = sorts.find((each) => each === sort)
  return known ? { sort: known } : {}
}

/** A whole number above 0, such as an id or a quantity. */
export function readPositive<Name extends string>(name: Name, value: unknown): { [N in Name]?: number } {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? ({ [name]: number } as { [N in Name]?: number }) : {}
}

/** An id of the platform for records of `type`. */
export function readGid<Name extends string>(
  name: Name,
  type: string,
  value: unknown,
): { [N in Name]?: string } {
  const isGid = typeof value === 'string' && new RegExp(`^gid://[a-z]+/${type}/[1-9]\\d{0,19}$`).test(value)
  return isGid ? ({ [name]: value } as { [N in Name]: string }) : {}
}
