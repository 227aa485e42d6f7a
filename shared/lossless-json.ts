/**
 * Parses JSON whose ids may be larger than the safe integers: such an integer becomes a string of its digits. All
 * other values are parsed as by `JSON.parse`. Throws SyntaxError.
 */
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
