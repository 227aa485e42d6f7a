const placeholder = /\{\{\s*(\w+)\s*\}\}/g
const anyBraces = /\{\{([^{}]*)\}\}/g

/** More would be text that repeats an order's notes many times. */
const maxLength = 100_000

/**
 * Replaces `{{name}}` by its value, once: a value that contains `{{…}}` stays as it is. A line with placeholders that are
 * all empty is left out, and with it a second empty line. Example: without an expected date,
 * `Expected by: {{expectedAt}}` leaves no line.
 */
export function fillTemplate(template: string, values: ReadonlyMap<string, string>): string {
  const textOf = (name: string | undefined) => values.get(name ?? '') ?? ''
  const lines = template.split(/\r\n?|\n/).filter((line) => {
    const names = [...line.matchAll(placeholder)].map(([, name]) => name)
    return names.length === 0 || names.some((name) => textOf(name) !== '')
  })
  const text = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(placeholder, (_all, name: string) => textOf(name))
    .trim()
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`
}

/** What is wrong with the placeholders of a template, as a rule that begins with a verb; undefined when they are known. */
export function placeholderFault(template: string, known: readonly string[]): string | undefined {
  const names = [...template.matchAll(anyBraces)].map(([, name = '']) => name.trim())
  const unknown = [...new Set(names.filter((name) => !known.includes(name)))]
  const shown = unknown.slice(0, 10).map((name) => `{{${name.slice(0, 50)}}}`)
  if (shown.length > 0) {
    const what = shown.length === 1 ? 'an unknown placeholder' : 'unknown placeholders'
    return `has ${what}: ${shown.join(', ')}; known are ${known.map((name) => `{{${name}}}`).join(', ')}`
  }
  const rest = template.replace(anyBraces, '')
  return /\{\{|\}\}/.test(rest) ? 'has {{ or }} without its counterpart' : undefined
}
