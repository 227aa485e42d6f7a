import { createRootRoute, retainSearchParams } from '@tanstack/react-router'
import { queryClient } from '../api/query-client.ts'
import { settingsQuery } from '../components/shop/settings.tsx'
import { Shell } from './shell.tsx'

/** The search parameters that the platform sets. Every link keeps them, so that a page can be reloaded. */
const platformParams = ['shop', 'host', 'embedded', 'locale'] as const
type PlatformSearch = Partial<Record<(typeof platformParams)[number], string | number>>

export const root = createRootRoute({
  component: Shell,
  // not awaited: the requests of the page run concurrently
  loader: () => void queryClient.prefetchQuery(settingsQuery),
  validateSearch: (search: Record<string, unknown>): PlatformSearch =>
    Object.fromEntries(
      platformParams.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
    ),
  search: { middlewares: [retainSearchParams([...platformParams])] },
})

/** Ids are whole numbers. Any other id in a URL becomes NaN, which the API answers with 400. */
export const idParams = {
  parse: ({ id }: { id: string }) => ({ id: Number(id) }),
  stringify: ({ id }: { id: number }) => ({ id: String(id) }),
}
