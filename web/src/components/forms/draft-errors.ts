import { useMemo, useState } from 'react'
import { focusFirstError } from '../../browser/first-error.ts'
import type { FieldErrors } from './form-errors.ts'

const noErrors: FieldErrors = {}

/** The errors of the last save, without those of fields that have changed since. */
export function useDraftErrors<Draft extends object>(draft: Draft) {
  const [refused, setRefused] = useState<{ errors: FieldErrors; draft: Draft } | null>(null)
  const errors = useMemo(
    () => (refused ? remainingErrors(refused.errors, refused.draft, draft) : noErrors),
    [refused, draft],
  )
  const setErrors = (found: FieldErrors) => {
    const isAny = Object.keys(found).length > 0
    setRefused(isAny ? { errors: found, draft } : null)
    if (isAny) focusFirstError()
  }
  return { errors, setErrors }
}

/** By field of the request: its name in a draft, where they differ. */
const draftNames: Record<string, string> = { lineItems: 'lines', items: 'lines', expectedAt: 'expectedDay' }

type Line = Record<string, unknown> & { key?: number }

/**
 * The errors whose field is still as it was. Lines are found by their key: an error follows its line when an earlier one is
 * removed, and goes with its line.
 */
export function remainingErrors(errors: FieldErrors, before: object, now: object): FieldErrors {
  if (before === now) return errors
  const [then, current] = [before, now] as [Record<string, unknown>, Record<string, unknown>]
  return Object.fromEntries(
    Object.entries(errors).flatMap(([path, message]) => {
      const [first = '', index, field] = path.split('.')
      const name = draftNames[first] ?? first
      const [old, present] = [then[name], current[name]]
      // a form that keeps its lines by their ids has errors of its own for them
      if (index === undefined || name !== 'lines' || !Array.isArray(old)) {
        return name in then && JSON.stringify(old) === JSON.stringify(present) ? [[path, message]] : []
      }
      const line = (old as Line[])[Number(index)]
      const lines = present as Line[]
      const at = lines.findIndex(({ key }) => key === line?.key)
      const isSame =
        field !== undefined && line && field in line ? line[field] === lines[at]?.[field] : line === lines[at]
      return at >= 0 && isSame ? [[[first, at, ...(field ? [field] : [])].join('.'), message]] : []
    }),
  )
}
