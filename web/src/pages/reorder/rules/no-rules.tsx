import { Group } from '@mantine/core'
import { LinkButton } from '../../../components/layout/link-button.tsx'

export const noRules = {
  title: 'No reorder rules yet',
  text: 'A rule sets the reorder point, quantity and supplier of a product. Products at or below their reorder point are suggested here.',
  action: (
    <Group gap="xs" justify="center">
      <LinkButton to="/reorder/rules/import" variant="default">
        Import rules
      </LinkButton>
      <LinkButton to="/reorder/rules/new">Create a rule</LinkButton>
    </Group>
  ),
}
