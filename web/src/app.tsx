import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { queryClient } from './api/query-client.ts'
import classes from './app.module.css'
import { isInAdmin, styleNonce } from './browser/host.ts'
import { router } from './router.tsx'
import { OutsideAdmin } from './shell/outside-admin.tsx'
import { colors, theme } from './theme.ts'

export const App = () => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={colors}
    forceColorScheme="light"
    getStyleNonce={() => styleNonce}
  >
    {isInAdmin ? (
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-center" autoClose={5000} className={classes.messages} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    ) : (
      <OutsideAdmin />
    )}
  </MantineProvider>
)
