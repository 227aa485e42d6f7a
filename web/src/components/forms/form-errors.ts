import { ApiError } from '../../api/api-error.ts'

/** Error messages by field: the path `/contacts/0/name` becomes `contacts.0.name`. */
export type FieldErrors = Record<string, string>

export function fieldErrors(error: unknown): FieldErrors {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(
    error.details.map(({ path, message }) => [path.slice(1).replaceAll('/', '.'), asSentence(message)]),
  )
}

const asSentence = (message: string) => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
