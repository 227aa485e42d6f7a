import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useState } from 'react'

/**
 * The stored record that a form of Mantine changes. A refetch replaces it and the values, but only while nothing is typed:
 * typed values with a newer version would overwrite what another user changed meanwhile.
 */
export function useFormBase<Stored, Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  stored: Stored,
  valuesOf: (stored: Stored) => Values,
): Stored {
  const [base, setBase] = useState(stored)
  useEffect(() => {
    if (base === stored || form.isDirty()) return
    form.setInitialValues(valuesOf(stored))
    form.setValues(valuesOf(stored))
    setBase(stored)
  })
  return base
}
