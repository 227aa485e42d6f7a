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
  const [fileError, setFileError] = useState<string>()
  const optionsOf = (text: string, dryRun: boolean) => ({ body: { ...bodyOf(text), dryRun } }) as Options<E>
  const check = useChange(endpoint, { onRefused: (error) => setFileError(fieldErrors(error).csv) })
  const checkRows = (text: string) => {
    setFileError(undefined)
    load.reset()
    check.mutate(optionsOf(text, true))
  }
  const load = useChange(endpoint, {
    onDone,
    onRefused: (error) => {
      // the data changed after the check, so a new check shows the errors
      if (error instanceof ApiError && error.code === 'invalid_rows') checkRows(csv)
    },
  })
  const isSame = JSON.stringify(check.variables) === JSON.stringify(optionsOf(csv, true))
  const result = isSame ? check.data : undefined
  return {
    /** For `RowsField`. */
    field: {
      rows: csv,
      onChange: setCsv,
      onCheck: checkRows,
      isChecking: check.isPending,
      isChecked: result !== undefined,
      error: fileError,
    },
    /** Of the check of these rows. */
    result,
    error: (fileError === undefined && check.error) || load.error,
    isUnsaved: csv.trim() !== '' && !load.isSuccess,
    isBusy: load.isPending,
    save: () => load.mutate(optionsOf(csv, false)),
    /** Begins with other rows. */
    clear: () => {
      setCsv('')
      check.reset()
      load.reset()
    },
  }
}
