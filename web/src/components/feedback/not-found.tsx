import { Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Card } from '../layout/card.tsx'
import { PageBody, PageHeader } from '../layout/page.tsx'

export const NotFound = () => (
  <PageBody>
    <PageHeader title="Not found" />
    <Card>
      <Text mb="md">
        There is no page at this address. It may have been deleted, or the link is not complete.
      </Text>
      <Button component={Link} to="/">
        Home
      </Button>
    </Card>
  </PageBody>
)
