import type { PageQuery } from '../schemas/common.ts'

/** One page of a list: its records, and the cursor of the next page when there is one. */
export type Page<T> = { records: readonly T[]; next: number | string | null }

export const pageSize = ({ limit }: Pick<PageQuery, 'limit'>) => limit ?? 250

/** Cuts the one record that was asked for beyond the page, and which tells that there is more. */
export function toPage<T extends { id: number }>(records: readonly T[], query: PageQuery): Page<T> {
  const page = records.slice(0, pageSize(query))
  return { records: page, next: records.length > page.length ? (page.at(-1)?.id ?? null) : null }
}
