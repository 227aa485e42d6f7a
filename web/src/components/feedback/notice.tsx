import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

type Props = {
  /** `bad`: an error. `waiting`: the user has to decide. */
  tone: 'bad' | 'waiting'
  title?: string
  icon?: ReactNode
  children: ReactNode
}

// hex values: Mantine would use a palette shade as the background
const colors = { bad: '#b3261e', waiting: '#7a4a00' }

/** A message that screen readers announce immediately. */
export const Notice = ({ tone, title, icon = <IconAlertTriangle />, children }: Props) => (
  <Alert color={colors[tone]} variant="light" icon={icon} role="alert" title={title}>
    {children}
  </Alert>
)
