import { Button, Stack, Text, Title } from '@mantine/core'
import { adminUrl } from '../browser/host.ts'
import classes from './outside-admin.module.css'

/** Outside the shop admin nobody says who asks, so there is nothing to show. */
export const OutsideAdmin = () => (
  <main className={classes.page}>
    <Stack gap="sm" align="flex-start">
      <Title>Open Quartermaster in your shop admin</Title>
      <Text>
        Quartermaster works inside your shop admin, which tells it which shop is yours. This page was opened
        on its own.
      </Text>
      {adminUrl && (
        <Button component="a" href={adminUrl} target="_top">
          Open it in the shop admin
        </Button>
      )}
    </Stack>
  </main>
)
