import { Stack } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import type { ImportFault } from '../../../../shared/schemas/import-fault.ts'
import { Notice } from '../feedback/notice.tsx'
import classes from './check-result.module.css'
import { ImportFaults } from './import-faults.tsx'

type Props<T> = {
  form: { result: T | undefined; isOutdated: boolean }
  /** Shows a result without faults. */
  children: (result: T) => ReactNode
}

/** The result of a check. Scrolls into view, since it appears below the rows. */
export function CheckResult<T extends { faults: readonly ImportFault[] }>({
  form: { result, isOutdated },
  children,
}: Props<T>) {
  const section = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again after each check
  useEffect(() => {
    section.current?.scrollIntoView({ block: 'nearest' })
  }, [result])
  if (!result) return null
  return (
    <Stack ref={section} className={classes.result}>
      {isOutdated && (
        <Notice tone="waiting">
          The data changed after the check, so nothing was imported. Look at the new result, then import
          again.
        </Notice>
      )}
      {result.faults.length > 0 ? <ImportFaults faults={result.faults} /> : children(result)}
    </Stack>
  )
}
