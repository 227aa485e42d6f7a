import { Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Card } from '../layout/card.tsx'
import { PageBody, PageHeader } from '../layout/page.tsx'

export const NotFound = () => (
  <PageBody>
    <PageHeader title="Page not found" />
    <Card>
      <Text mb="md">
        Nothing exists at this address. It may have been deleted, or the link is incomplete.
      </Text>
      <Button component={Link} to="/">
        Go to Home
      </Button>
    </Card>
  </PageBody>
)
