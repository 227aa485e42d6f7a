import { useRouter } from '@tanstack/react-router'
import { createElement, useEffect } from 'react'
import { onHostNavigate } from '../browser/host.ts'
import { navigation } from './navigation.ts'

/** Declares the pages of the app for the navigation of the shop admin, and goes to the one that the merchant chooses there. */
export function HostNavigation() {
  const router = useRouter()
  useEffect(() => onHostNavigate((href) => void router.navigate({ href })), [router])
  return createElement('s-app-nav', {}, ...links)
}

/** The shop admin does not draw the home page: the name of the app leads there. */
const links = navigation.map(({ to, name }) =>
  createElement('s-link', { key: to, href: to, ...(to === '/' && { rel: 'home' }) }, name),
)
