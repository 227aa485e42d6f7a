import { Checkbox } from '@mantine/core'

type Props = { value: boolean; onChange: (isBlind: boolean) => void }

export const BlindField = ({ value, onChange }: Props) => (
  <Checkbox
    label="Count blind"
    description="Hides expected quantities from everyone until counting is finished."
    checked={value}
    onChange={(event) => onChange(event.currentTarget.checked)}
  />
)
