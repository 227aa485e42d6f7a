/** The pattern of `like` for what contains a text, letter by letter. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
