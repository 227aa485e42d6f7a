import { trimPathRight, useMatch, useNavigate } from '@tanstack/react-router'

/**
 * Navigates from this page only: an answer that comes when the merchant has left it must not take the merchant away from the
 * next page, where something may be typed.
 */
export function usePageNavigate(): ReturnType<typeof useNavigate> {
  const navigate = useNavigate()
  const page = useMatch({ strict: false, select: ({ pathname }) => pathname })
  return async (options) => {
    if (trimPathRight(location.pathname) === page) await navigate(options)
  }
}
