/** A `like` pattern that matches every value containing `text`; `%`, `_` and `\` in it are matched literally. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
