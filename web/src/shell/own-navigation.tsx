import '@mantine/core/styles/AppShell.css'
import '@mantine/core/styles/Drawer.css'
import '@mantine/core/styles/NavLink.css'
import { AppShell, Drawer, NavLink, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconAdjustmentsHorizontal,
  IconBell,
  IconChartBar,
  IconClipboardCheck,
  IconClipboardList,
  IconHome,
  IconMenu2,
  IconPackageImport,
  IconPackages,
  IconSettings,
  IconShoppingCart,
  IconTransfer,
  IconTruckDelivery,
} from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { SearchButton } from './keys/search-button.tsx'
import { type NavigationItem, navigation } from './navigation.ts'
import classes from './shell.module.css'
import { UnreadMark } from './unread-mark.tsx'

const icons = {
  '/': IconHome,
  '/purchase-orders': IconClipboardList,
  '/receipts': IconPackageImport,
  '/suppliers': IconTruckDelivery,
  '/replenishment': IconShoppingCart,
  '/reorder': IconAdjustmentsHorizontal,
  '/stock': IconPackages,
  '/transfers': IconTransfer,
  '/counts': IconClipboardCheck,
  '/reports': IconChartBar,
  '/alerts': IconBell,
  '/settings': IconSettings,
} as const satisfies Record<NavigationItem['to'], unknown>

const isTab = (item: NavigationItem) => 'isTab' in item
const tabs = navigation.filter(isTab)
const others = navigation.filter((item) => !isTab(item))

/** Our navigation, for hosts that draw none: a sidebar on wide screens, and a bottom bar on narrow ones. */
export const OwnNavigation = ({ children }: { children: ReactNode }) => (
  <AppShell
    navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: true } }}
    footer={{ height: { base: 56, sm: 0 } }}
    padding={0}
  >
    <AppShell.Navbar component="nav" aria-label="Quartermaster" className={classes.side} visibleFrom="sm">
      <SearchButton />
      <SideLinks items={navigation} />
    </AppShell.Navbar>
    <AppShell.Main className={classes.main}>{children}</AppShell.Main>
    <AppShell.Footer component="nav" aria-label="Quartermaster" className={classes.bottom} hiddenFrom="sm">
      <BottomTabs />
    </AppShell.Footer>
  </AppShell>
)

const matches = (pathname: string, item: NavigationItem) =>
  [item.to, ...('under' in item ? item.under : [])].some(
    (to) => pathname === to || (to !== '/' && pathname.startsWith(`${to}/`)),
  )

/** Whether the current page belongs to one of the items. Rerenders the caller only when the answer changes. */
const useIsCurrent = (...items: readonly NavigationItem[]) =>
  useLocation({ select: ({ pathname }) => items.some((item) => matches(pathname, item)) })

type OnNavigate = { onNavigate?: (() => void) | undefined }

const SideLinks = ({ items, onNavigate }: { items: readonly NavigationItem[] } & OnNavigate) =>
  items.map((item) => <SideLink key={item.to} item={item} onNavigate={onNavigate} />)

function SideLink({ item, onNavigate }: { item: NavigationItem } & OnNavigate) {
  const isCurrent = useIsCurrent(item)
  const Icon = icons[item.to]
  return (
    <NavLink
      component={Link}
      to={item.to}
      label={item.name}
      active={isCurrent}
      aria-current={isCurrent ? 'page' : undefined}
      leftSection={<Icon size={18} aria-hidden />}
      rightSection={item.to === '/alerts' && <UnreadMark />}
      onClick={onNavigate}
    />
  )
}

function BottomTab({ item }: { item: NavigationItem }) {
  const isCurrent = useIsCurrent(item)
  const Icon = icons[item.to]
  return (
    <Link to={item.to} className={classes.tab} aria-current={isCurrent ? 'page' : undefined}>
      <Icon size={20} aria-hidden />
      {'short' in item ? item.short : item.name}
    </Link>
  )
}

function BottomTabs() {
  const isOtherCurrent = useIsCurrent(...others)
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      {tabs.map((item) => (
        <BottomTab key={item.to} item={item} />
      ))}
      <UnstyledButton
        className={classes.tab}
        data-current={isOtherCurrent || undefined}
        aria-expanded={isOpen}
        onClick={open}
      >
        <IconMenu2 size={20} aria-hidden />
        More
        <UnreadMark />
      </UnstyledButton>
      <Drawer opened={isOpen} onClose={close} position="bottom" size="auto" title="More" hiddenFrom="sm">
        <nav aria-label="More pages" className={classes.others}>
          <SearchButton onClick={close} />
          <SideLinks items={others} onNavigate={close} />
        </nav>
      </Drawer>
    </>
  )
}
