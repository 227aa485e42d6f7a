import { shallowEqual } from '@mantine/hooks'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import type { Answer, Options } from '../../api/endpoints.ts'
import { useChange } from '../../api/queries.ts'
import { fieldErrors } from '../forms/form-errors.ts'

type ImportEndpoint =
  | 'POST /bins/import'
  | 'POST /reorder/rules/import'
  | 'POST /stock-imports'
  | 'POST /supplier-prices/import'

type Import<E extends ImportEndpoint> = {
  /** The request for these rows. */
  bodyOf: (csv: string) => Omit<Options<E>['body'], 'dryRun'>
  onDone: (answer: Answer<E>) => unknown
}

export type RowsImport<E extends ImportEndpoint = ImportEndpoint> = ReturnType<typeof useRowsImport<E>>

/** The state of a page that imports rows: a dry run checks all of them before the merchant can import them. */
export function useRowsImport<E extends ImportEndpoint>(endpoint: E, { bodyOf, onDone }: Import<E>) {
  const [csv, setCsv] = useState('')
  const optionsOf = (text: string, dryRun: boolean) => ({ body: { ...bodyOf(text), dryRun } }) as Options<E>
  const checking = useChange(endpoint)
  const importing = useChange(endpoint, {
    onDone,
    // the data changed after the check, so a new check shows the errors
    onRefused: (error) => isInvalidRows(error) && checking.mutate(optionsOf(csv, true)),
  })
  /** Whether a request had the rows and choices that the page has now. */
  const isCurrent = ({ variables }: { variables: Options<E> | undefined }, dryRun: boolean) =>
    shallowEqual(variables?.body, optionsOf(csv, dryRun).body)
  const isChecked = isCurrent(checking, true)
  const fileError = isChecked ? fieldErrors(checking.error).csv : undefined
  const importError = isCurrent(importing, false) ? importing.error : null
  const isOutdated = isInvalidRows(importError)
  return {
    /** For `RowsField`. */
    field: {
      rows: csv,
      onChange: setCsv,
      onCheck: (text: string) => {
        importing.reset()
        checking.mutate(optionsOf(text, true))
      },
      isChecking: checking.isPending,
      isChecked: isChecked && checking.isSuccess,
      error: fileError,
    },
    /** What the check found in the rows; undefined after a change of them. */
    result: isChecked ? checking.data : undefined,
    /** The import was refused since the data changed after the check; the result is that of a new check. */
    isOutdated,
    error: (isChecked && !fileError && checking.error) || (!isOutdated && importError),
    isUnsaved: csv.trim() !== '' && !importing.isSuccess,
    isBusy: importing.isPending,
    importRows: () => importing.mutate(optionsOf(csv, false)),
    /** Removes the rows and what the page says about them. */
    clear: () => {
      setCsv('')
      checking.reset()
      importing.reset()
    },
  }
}

const isInvalidRows = (error: unknown) => error instanceof ApiError && error.code === 'invalid_rows'
