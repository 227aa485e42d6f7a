import { lazyRouteComponent } from '@tanstack/react-router'
import { noConnection } from '../api/api-error.ts'

/**
 * A page whose code is loaded on navigation. After a new release the old files are gone: the router then reloads the whole
 * page. While the service is down a reload would leave an empty page, so the error becomes `noConnection` instead.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => {
    try {
      return await load()
    } catch (error) {
      throw (await isServiceUp()) ? error : noConnection()
    }
  }, name)

const isServiceUp = () =>
  fetch('/healthz').then(
    // the host's router answers 503 for a service that is down
    ({ ok }) => ok,
    () => false,
  )
