import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

const Position = Type.Object({
  after: Type.Union([Type.String(), Type.Null()]),
  /** The filter of the list: the id or instant of its first record. Null for the whole list. */
  from: Type.Union([Type.String(), Type.Null()]),
  count: Type.Integer(),
})
/** The position of a sync in a long list, stored as the text of its cursor. */
type Position = Static<typeof Position>

const position = TypeCompiler.Compile(Position)

/** The platform lists at most 25 000 records. After 20 000 a new list starts, with `from` as its filter. */
const maxPerList = 20_000

export function readPosition(cursor: string | null): Position {
  const stored: unknown = cursor === null ? { after: null, from: null, count: 0 } : JSON.parse(cursor)
  if (!position.Check(stored)) throw new Error('The cursor of the sync is invalid')
  return stored
}

/** The cursor after a page, or null after the last. `page.from` is the filter that would start a new list here. */
export function nextCursor(
  { from, count }: Position,
  page: { count: number; hasNextPage: boolean; endCursor: string | null; from: string },
): string | null {
  if (!page.hasNextPage || page.endCursor === null) return null
  const next: Position =
    count + page.count >= maxPerList
      ? { after: null, from: page.from, count: 0 }
      : { after: page.endCursor, from, count: count + page.count }
  return JSON.stringify(next)
}
