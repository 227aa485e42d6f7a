import { ActionIcon, Group, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import classes from './page.module.css'

export const PageBody = ({ children }: { children: ReactNode }) => (
  <div className={classes.body}>{children}</div>
)

type Props = {
  title: string
  /** Shown after the title, such as a status badge. */
  mark?: ReactNode
  /** The parent page. */
  back?: { to: string; name: string }
  /** The buttons of the page, the primary one last. */
  actions?: ReactNode
}

let isFirstPage = true

/** The header of a page. It takes the focus after a navigation, so that a screen reader announces the new page. */
export function PageHeader({ title, mark, back, actions }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isFirstPage) heading.current?.focus({ preventScroll: true })
    isFirstPage = false
  }, [])
  useEffect(() => {
    document.title = `${title} · Quartermaster`
  }, [title])
  return (
    <header className={classes.header}>
      <Group gap="xs" wrap="nowrap" className={classes.title}>
        {back && (
          <ActionIcon
            component={Link}
            to={back.to}
            variant="subtle"
            color="dark.6"
            aria-label={`Back to ${back.name}`}
          >
            <IconArrowLeft size={20} />
          </ActionIcon>
        )}
        <Title order={1} ref={heading} tabIndex={-1}>
          {title}
        </Title>
        {mark}
      </Group>
      {actions && <div className={classes.actions}>{actions}</div>}
    </header>
  )
}
