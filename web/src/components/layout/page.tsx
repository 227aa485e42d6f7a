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
  /** Stands after the title, such as a status. */
  mark?: ReactNode
  /** The page that this one belongs to. */
  back?: { to: string; name: string }
  /** What can be done here, the most likely last. */
  actions?: ReactNode
}

let isFirst = true

/** The head of a page. After a change of page it takes the focus, so that a reader of the screen hears where it is. */
export function PageHeader({ title, mark, back, actions }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true })
    isFirst = false
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
