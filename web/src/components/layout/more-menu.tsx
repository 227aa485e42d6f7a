import { Button, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode, RefObject } from 'react'

type Props = {
  /** The button, which gets the focus back from a dialog that an item opens. */
  button: RefObject<HTMLButtonElement | null>
  children: ReactNode
}

/** The menu of the actions of a document that have no button. */
export const MoreMenu = ({ button, children }: Props) => (
  // the placeholder would be a focusable child of the menu that is no item
  <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
    <Menu.Target>
      <Button ref={button} variant="default" aria-label="More" px="xs">
        <IconDots size={16} />
      </Button>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
)
