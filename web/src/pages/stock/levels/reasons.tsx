import { Button, Group, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'

/** The platform knows a word of its own for each of these (`shared/domain/stock/reasons.ts`). */
const usual = ['Damaged', 'Found', 'Theft', 'Returned', 'Sample', 'Correction']

type Props = { value: string; onChange: (words: string) => void; error?: ReactNode }

/** Why stock is changed: in any words, the usual ones by one touch. */
export const Reasons = ({ value, onChange, error }: Props) => (
  <div>
    <TextInput
      label="Reason"
      placeholder="Stands in the history"
      maxLength={200}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
    />
    <Group gap={6} mt={8} role="group" aria-label="Usual reasons">
      {usual.map((words) => (
        <Button
          key={words}
          variant={value === words ? 'light' : 'default'}
          size="xs"
          aria-pressed={value === words}
          onClick={() => onChange(words)}
        >
          {words}
        </Button>
      ))}
    </Group>
  </div>
)
