import { Button, MantineThemeProvider, Popover, Stack } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** Without it the options of a field are outside the dropdown, which a click on one would close. */
const optionsInside = { components: { Combobox: { defaultProps: { withinPortal: false } } } }

/** The filters of a list that are used less, behind a button. The chips of the list show which of them are active. */
export const MoreFilters = ({ children }: { children: ReactNode }) => (
  <Popover position="bottom-end" trapFocus returnFocus width={300}>
    <Popover.Target>
      <Button variant="default" leftSection={<IconFilter size={16} aria-hidden />}>
        More filters
      </Button>
    </Popover.Target>
    <Popover.Dropdown aria-label="More filters">
      <MantineThemeProvider theme={optionsInside}>
        <Stack gap="sm">{children}</Stack>
      </MantineThemeProvider>
    </Popover.Dropdown>
  </Popover>
)
