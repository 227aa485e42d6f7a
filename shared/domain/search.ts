import { sql } from '../db/db.ts'

/** SQL condition: the search text of a variant contains `text`; false without a text, so that `sql.and` drops it. */
export function matchesSearch(variant: string, text = '') {
  const search = text.trim()
  // `%`, `_` and `\` are special in a `like` pattern
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return search !== '' && sql.fragment`${sql.identifier([variant])}.search_text like lower(${pattern})`
}
