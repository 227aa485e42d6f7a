import { AppShell, Drawer, NavLink, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMenu2 } from '@tabler/icons-react'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { SettingsGate } from '../components/shop/settings.tsx'
import { navigation, type Place } from './navigation.ts'
import classes from './shell.module.css'
import { UnreadMark } from './unread-mark.tsx'

const isAtHand = (place: Place) => 'isFirst' in place
const atHand = navigation.filter(isAtHand)
const others = navigation.filter((place) => !isAtHand(place))

/** The frame of all pages: on wide screens the navigation at the side, on narrow ones at the bottom. */
export function Shell() {
  return (
    <AppShell
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: true } }}
      footer={{ height: { base: 56, sm: 0 } }}
      padding={0}
    >
      <AppShell.Navbar component="nav" aria-label="Quartermaster" className={classes.side} visibleFrom="sm">
        <PlaceLinks places={navigation} />
      </AppShell.Navbar>
      <AppShell.Main className={classes.main}>
        <SettingsGate>
          <Outlet />
        </SettingsGate>
      </AppShell.Main>
      <AppShell.Footer component="nav" aria-label="Quartermaster" className={classes.bottom} hiddenFrom="sm">
        <BottomTabs />
      </AppShell.Footer>
    </AppShell>
  )
}

const isOn = (pathname: string, { to }: Place) =>
  pathname === to || (to !== '/' && pathname.startsWith(`${to}/`))

/** Whether the page is one of these places; who uses it is drawn again only when that changes. */
const useIsHere = (...places: readonly Place[]) =>
  useLocation({ select: ({ pathname }) => places.some((place) => isOn(pathname, place)) })

type OnGo = { onGo?: (() => void) | undefined }

const PlaceLinks = ({ places, onGo }: { places: readonly Place[] } & OnGo) =>
  places.map((place) => <PlaceLink key={place.to} place={place} onGo={onGo} />)

function PlaceLink({ place, onGo }: { place: Place } & OnGo) {
  const isHere = useIsHere(place)
  return (
    <NavLink
      component={Link}
      to={place.to}
      label={place.name}
      active={isHere}
      aria-current={isHere ? 'page' : undefined}
      leftSection={<place.icon size={18} aria-hidden />}
      rightSection={place.to === '/alerts' && <UnreadMark />}
      onClick={onGo}
    />
  )
}

function BottomTab({ place }: { place: Place }) {
  const isHere = useIsHere(place)
  return (
    <Link to={place.to} className={classes.tab} aria-current={isHere ? 'page' : undefined}>
      <place.icon size={20} aria-hidden />
      {'short' in place ? place.short : place.name}
    </Link>
  )
}

function BottomTabs() {
  const isOnOther = useIsHere(...others)
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      {atHand.map((place) => (
        <BottomTab key={place.to} place={place} />
      ))}
      <UnstyledButton
        className={classes.tab}
        data-here={isOnOther || undefined}
        aria-expanded={isOpen}
        onClick={open}
      >
        <IconMenu2 size={20} aria-hidden />
        More
        <UnreadMark />
      </UnstyledButton>
      <Drawer opened={isOpen} onClose={close} position="bottom" size="auto" title="More" hiddenFrom="sm">
        <nav aria-label="More of Quartermaster" className={classes.others}>
          <PlaceLinks places={others} onGo={close} />
        </nav>
      </Drawer>
    </>
  )
}
