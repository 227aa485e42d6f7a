import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { hasHostNavigation } from '../browser/host.ts'
import { LoadingPage } from '../components/feedback/loading-page.tsx'
import { SettingsProvider } from '../components/shop/settings.tsx'
import { HostBar } from './host-bar.tsx'
import { HostNavigation } from './host-navigation.tsx'
import { KeysProvider } from './keys/keys.tsx'
import { SlowNotice } from './slow-notice.tsx'

/** Most shop admins draw the navigation, so ours is not a part of the first load. */
const OwnNavigation = lazy(async () => ({ default: (await import('./own-navigation.tsx')).OwnNavigation }))

/** The layout of all pages. The shop admin draws the navigation, or else we do. */
export const Shell = () => (
  <KeysProvider>
    {hasHostNavigation ? (
      <>
        <HostNavigation />
        <HostBar />
        <main>
          <ShownPage />
        </main>
      </>
    ) : (
      <Suspense fallback={<LoadingPage />}>
        <OwnNavigation>
          <ShownPage />
        </OwnNavigation>
      </Suspense>
    )}
  </KeysProvider>
)

const ShownPage = () => (
  <>
    <SlowNotice />
    <SettingsProvider>
      <Outlet />
    </SettingsProvider>
  </>
)
