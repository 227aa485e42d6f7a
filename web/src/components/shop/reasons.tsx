import { Button, Group, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useSettings } from './settings.tsx'

type Props = { value: string; onChange: (reason: string) => void; error?: ReactNode }

/**
 * The reason of a change of stock: one of the shop's list, or any text while the settings do not require one of the list.
 */
export function Reasons({ value, onChange, error }: Props) {
  const { adjustmentReasons, adjustmentReasonRequired } = useSettings()
  return (
    <div>
      <TextInput
        label="Reason"
        placeholder={adjustmentReasonRequired ? 'Choose one below' : 'Shown in stock history'}
        required={adjustmentReasonRequired}
        readOnly={adjustmentReasonRequired}
        maxLength={200}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
        autoComplete="off"
      />
      <Group gap={6} mt={8} role="group" aria-label="Common reasons">
        {adjustmentReasons.map((reason) => (
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
}
