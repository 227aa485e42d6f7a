import { ApiError } from '../../api/api-error.ts'

/** Error messages by field: the path `/contacts/0/name` becomes `contacts.0.name`. */
export type FieldErrors = Record<string, string>

export function fieldErrors(error: unknown): FieldErrors {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(
    error.details.map(({ path, message }) => [
      path.slice(1).replaceAll('/', '.'),
      (missing.test(message) && askFor(path)) || asSentence(message),
    ]),
  )
}

/** The errors of the items of a list by the keys of their rows: `items.1.quantity` becomes the second key. */
export const itemErrors = (error: unknown, keys: readonly string[]): FieldErrors =>
  Object.fromEntries(
    Object.entries(fieldErrors(error)).map(([path, message]) => [
      keys[Number(path.split('.')[1])] ?? path,
      message,
    ]),
  )

const missing = /^(is required|must be filled in|is needed to send the order)$/

/** By field of the API: its name in the form, where they differ. */
const words: Record<string, string> = {
  costPrice: 'unit cost',
  email: 'e-mail address',
  variantId: 'product',
}

/** Says what to enter: "Enter a reorder point.", "Choose a supplier."; nothing for a field without a name. */
function askFor(path: string): string | false {
  const field = path.slice(path.lastIndexOf('/') + 1)
  const name =
    words[field] ?? field.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  const article = /[^s]s$/.test(name) ? '' : /^[aeio]/.test(name) ? 'an ' : 'a '
  return /^[a-z]/.test(name) && `${field.endsWith('Id') ? 'Choose' : 'Enter'} ${article}${name}.`
}

/** The errors without those of a field, or of the fields of a record, that changed after the save. */
export const withoutErrorsOf = (errors: FieldErrors, path: string): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([name]) => name !== path && !name.startsWith(`${path}.`)))

const asSentence = (message: string) => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
