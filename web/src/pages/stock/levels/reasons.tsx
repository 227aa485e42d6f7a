import { Button, Group, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'

/** The platform has its own reason code for each of these (`shared/domain/stock/reasons.ts`). */
const commonReasons = ['Damaged', 'Found', 'Theft', 'Returned', 'Sample', 'Correction']

type Props = { value: string; onChange: (reason: string) => void; error?: ReactNode }

/** A free-text reason, with buttons for the common ones. */
export const Reasons = ({ value, onChange, error }: Props) => (
  <div>
    <TextInput
      label="Reason"
      placeholder="Shown in stock history"
      maxLength={200}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
    />
    <Group gap={6} mt={8} role="group" aria-label="Common reasons">
      {commonReasons.map((reason) => (
        <Button
          key={reason}
          variant={value === reason ? 'light' : 'default'}
          size="xs"
          aria-pressed={value === reason}
          onClick={() => onChange(reason)}
        >
          {reason}
        </Button>
      ))}
    </Group>
  </div>
)
