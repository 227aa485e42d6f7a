/** An integer beyond the safe ones, such as an id, becomes a string of its digits. Throws SyntaxError. */
export function parseLossless(text: string): unknown {
  const revive: Reviver = (_key, value, { source } = {}) =>
    typeof value === 'number' &&
    !Number.isSafeInteger(value) &&
    source !== undefined &&
    /^-?\d+$/.test(source)
      ? source
      : value
  return JSON.parse(text, revive)
}

/** TypeScript's own type lacks the third argument, which holds the source text of a number. */
type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown

/** As `JSON.parse`, but `JSON.stringify` writes a number beyond the safe integers with all its digits. */
export function parseExact(text: string): unknown {
  const revive: Reviver = (_key, value, { source } = {}) =>
    isInexact(value) && source !== undefined ? exactNumbers.rawJSON(source) : value
  return JSON.parse(text, revive)
}

/** A number whose digits `JSON.parse` may have changed. */
export const isInexact = (value: unknown): boolean =>
  typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER

/** True for a number that `parseExact` has left as text. */
export const isExactNumber = (value: unknown): boolean => exactNumbers.isRawJSON(value)

/** TypeScript's own type lacks these functions. */
const exactNumbers = JSON as unknown as {
  rawJSON: (text: string) => unknown
  isRawJSON: (value: unknown) => boolean
}
