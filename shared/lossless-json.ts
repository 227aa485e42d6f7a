/**
 * Parses JSON whose ids may have more digits than a number holds exactly: such a whole number becomes the text of
 * its digits, everything else is as usual. Throws SyntaxError.
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

/** The compiler does not know the third argument yet: the source text of a number. */
type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown
