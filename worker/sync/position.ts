import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

const Position = Type.Object({
  /** The platform's cursor, or null at the beginning. */
  after: Type.Union([Type.String(), Type.Null()]),
  /** What the list begins with, where it does not begin with its first record: an id or an instant. */
  from: Type.Union([Type.String(), Type.Null()]),
  /** How many records this list has given. */
  count: Type.Integer(),
})
/** Where in a long list a sync is; stored as the text of its cursor. */
export type Position = Static<typeof Position>

const position = TypeCompiler.Compile(Position)

/** The platform shows 25 000 records of a list at most. Before that, a new list begins where this one is. */
const maxOfOneList = 20_000

export function readPosition(cursor: string | null): Position {
  const stored: unknown = cursor === null ? { after: null, from: null, count: 0 } : JSON.parse(cursor)
  if (!position.Check(stored)) throw new Error('The cursor of the sync is none of ours')
  return stored
}

/** The cursor behind a page of so many records, or null behind the last; `from` is where another list would begin. */
export function nextCursor(
  { from, count }: Position,
  page: { count: number; hasNextPage: boolean; endCursor: string | null; from: string },
): string | null {
  if (!page.hasNextPage || page.endCursor === null) return null
  const next: Position =
    count + page.count >= maxOfOneList
      ? { after: null, from: page.from, count: 0 }
      : { after: page.endCursor, from, count: count + page.count }
  return JSON.stringify(next)
}
