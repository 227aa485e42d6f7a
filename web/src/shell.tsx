import { AppShell, NavLink } from '@mantine/core'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { SettingsGate } from './components/settings.tsx'
import { navigation } from './navigation.ts'
import classes from './shell.module.css'

/** The frame of all pages: on wide screens the navigation at the side, on narrow ones at the bottom. */
export function Shell() {
  const { pathname } = useLocation()
  const isHere = (to: string) => pathname === to || pathname.startsWith(`${to}/`)
  return (
    <AppShell
      navbar={{ width: 200, breakpoint: 'sm', collapsed: { mobile: true } }}
      footer={{ height: { base: 56, sm: 0 } }}
      padding={0}
    >
      <AppShell.Navbar component="nav" aria-label="Quartermaster" className={classes.side} visibleFrom="sm">
        {navigation.map(({ to, name, icon: Icon }) => (
          <NavLink
            key={to}
            component={Link}
            to={to}
            label={name}
            active={isHere(to)}
            aria-current={isHere(to) ? 'page' : undefined}
            leftSection={<Icon size={18} aria-hidden />}
          />
        ))}
      </AppShell.Navbar>
      <AppShell.Main className={classes.main}>
        <SettingsGate>
          <Outlet />
        </SettingsGate>
      </AppShell.Main>
      <AppShell.Footer component="nav" aria-label="Quartermaster" className={classes.bottom} hiddenFrom="sm">
        {navigation.map(({ to, short, icon: Icon }) => (
          <Link key={to} to={to} className={classes.tab} aria-current={isHere(to) ? 'page' : undefined}>
            <Icon size={20} aria-hidden />
            {short}
          </Link>
        ))}
      </AppShell.Footer>
    </AppShell>
  )
}
