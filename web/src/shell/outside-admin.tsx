import { Button, Stack, Text, Title } from '@mantine/core'
import { adminUrl } from '../browser/host.ts'
import classes from './outside-admin.module.css'

/** Shown outside the shop admin, where no session token identifies the shop. */
export const OutsideAdmin = () => (
  <main className={classes.page}>
    <Stack gap="sm" align="flex-start">
      <Title>Open Quartermaster in your shop admin</Title>
      <Text>
        Quartermaster runs inside your shop admin, which identifies your shop. This page was opened outside
        it.
      </Text>
      {adminUrl && (
        <Button component="a" href={adminUrl} target="_top">
          Open in the shop admin
        </Button>
      )}
    </Stack>
  </main>
)
