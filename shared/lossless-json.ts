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
