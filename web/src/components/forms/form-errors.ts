import { ApiError } from '../../api/api-error.ts'

/** Error messages by field: the path `/contacts/0/name` becomes `contacts.0.name`. */
export type FieldErrors = Record<string, string>

export function fieldErrors(error: unknown): FieldErrors {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(
    error.details.map(({ path, message }) => [path.slice(1).replaceAll('/', '.'), asSentence(message)]),
  )
}

/** The errors without those of a field, or of the fields of a record, that changed after the save. */
export const withoutErrorsOf = (errors: FieldErrors, path: string): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([name]) => name !== path && !name.startsWith(`${path}.`)))

const asSentence = (message: string) => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
