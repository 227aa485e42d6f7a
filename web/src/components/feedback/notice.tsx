import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

type Props = {
  /** `bad`: something has failed. `waiting`: somebody has to decide. */
  tone: 'bad' | 'waiting'
  title?: string
  icon?: ReactNode
  children: ReactNode
}

// as values: of a shade of its palette the library makes the whole ground
const colors = { bad: '#b3261e', waiting: '#7a4a00' }

/** Something that cannot be overlooked, also by those who hear the page. */
export const Notice = ({ tone, title, icon = <IconAlertTriangle />, children }: Props) => (
  <Alert color={colors[tone]} variant="light" icon={icon} role="alert" title={title}>
    {children}
  </Alert>
)
