import { Group } from '@mantine/core'
import { LinkButton } from '../../../components/layout/link-button.tsx'

/** What a rule is, for those who have none yet. */
export const noRules = {
  title: 'No reorder rules yet',
  text: 'A rule says at which stock a product is ordered again, how many, and from whom. What has fallen to that point is then suggested here.',
  action: (
    <Group gap="xs" justify="center">
      <LinkButton to="/reorder/rules/import" variant="default">
        Import rules
      </LinkButton>
      <LinkButton to="/reorder/rules/new">Create a rule</LinkButton>
    </Group>
  ),
}
