import { ActionIcon, Group, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { SaveBarProvider } from '../forms/save-bar.tsx'
import classes from './page.module.css'

export const PageBody = ({ children }: { children: ReactNode }) => (
  <SaveBarProvider className={classes.body}>{children}</SaveBarProvider>
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

/** The filters of each page as they were last, for the link back to it. */
const lastSearch = new Map<string, object>()
let pages: { current: string; previous?: string } = { current: '' }

/** A link back leads to the filters of the parent page, and to the merchant's place in it if that was the page before. */
function useWayBack() {
  const router = useRouter()
  const { pathname, search } = useLocation()
  useEffect(() => {
    lastSearch.set(pathname, search)
    if (pages.current !== pathname) pages = { current: pathname, previous: pages.current }
  }, [pathname, search])
  return {
    // a step of a page, such as its review, leads back to the page itself
    searchOf: (path: string) => (path === pathname ? {} : (lastSearch.get(path) ?? {})),
    goBack: (event: MouseEvent, path: string) => {
      const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey)
      if (!isPlain || pages.previous !== path || !router.history.canGoBack()) return
      event.preventDefault()
      router.history.back()
    },
  }
}

/** The header of a page. It takes the focus after a navigation, so that a screen reader announces the new page. */
export function PageHeader({ title, mark, back, actions }: Props) {
  const { searchOf, goBack } = useWayBack()
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
            search={searchOf(back.to) as never}
            onClick={(event: MouseEvent) => goBack(event, back.to)}
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
