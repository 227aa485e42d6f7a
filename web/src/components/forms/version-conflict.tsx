import { Button, Group, List, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { Notice } from '../feedback/notice.tsx'

type Props = {
  /** What is being edited, as in "order". */
  noun: string
  /** What they changed, each as a line. */
  differences: readonly string[]
  /** Whether this person's changes may still be saved. */
  isEditable: boolean
  onKeep: () => void
  onDiscard: () => void
}

/** Somebody else saved first. Says what they changed, and lets this person decide; nothing is lost before. */
export const VersionConflict = ({ noun, differences, isEditable, onKeep, onDiscard }: Props) => (
  <Notice tone="waiting" icon={<IconUsers />} title={`Somebody else changed this ${noun}`}>
    <Text c="#1c2024">
      What you have written is still below, and not saved yet. Meanwhile this was changed:
    </Text>
    <List size="sm" my="xs" c="#1c2024">
      {(differences.length > 0 ? differences : ['Something that is not shown here']).map((difference) => (
        <List.Item key={difference}>{difference}</List.Item>
      ))}
    </List>
    <Group gap="xs">
      {isEditable && (
        <Button size="xs" onClick={onKeep}>
          Save mine in its place
        </Button>
      )}
      <Button size="xs" variant="default" onClick={onDiscard}>
        Discard mine, show theirs
      </Button>
    </Group>
  </Notice>
)
