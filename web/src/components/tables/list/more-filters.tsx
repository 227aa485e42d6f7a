import { Button, Popover, Stack } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** The filters of a list that are used less, behind a button. The chips of the list show which of them are active. */
export const MoreFilters = ({ children }: { children: ReactNode }) => (
  <Popover position="bottom-end" trapFocus returnFocus width={300}>
    <Popover.Target>
      <Button variant="default" leftSection={<IconFilter size={16} aria-hidden />}>
        More filters
      </Button>
    </Popover.Target>
    <Popover.Dropdown aria-label="More filters">
      <Stack gap="sm">{children}</Stack>
    </Popover.Dropdown>
  </Popover>
)
