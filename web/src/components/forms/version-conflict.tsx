import { Button, Group, List, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { Notice } from '../feedback/notice.tsx'

type Props = {
  noun: string
  /** One line for each field that the other user changed. */
  differences: readonly string[]
  /** False when the record is deleted, or its status does not allow this user's changes any more. */
  isEditable?: boolean
  /** Replaces the sentence that says what was refused. */
  refused?: string
  /** The label of the button for `onKeep`, when it does not overwrite. */
  keep?: string
  /** The label of the button for `onDiscard`. */
  discard?: string
  onKeep: () => void
  onDiscard: () => void
}

/** Shown when another user saved the record first: lists their changes, and lets this user keep or drop the own ones. */
export const VersionConflict = ({
  noun,
  differences,
  isEditable = true,
  refused = 'Your changes are still below, but not saved.',
  keep = 'Overwrite with mine',
  discard = 'Use theirs',
  onKeep,
  onDiscard,
}: Props) => (
  <Notice tone="waiting" icon={<IconUsers />} title={`This ${noun} was changed since you opened it`}>
    <Text c="#1c2024">{refused} These changes were saved in the meantime:</Text>
    <Differences of={differences} />
    <Group gap="xs">
      {isEditable && (
        <Button size="xs" onClick={onKeep}>
          {keep}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={onDiscard}>
        {discard}
      </Button>
    </Group>
  </Notice>
)

/** The changes of another user, one line for each. Of more than `max`, the first ones and the number of the others. */
export const Differences = ({ of: all, max = all.length }: { of: readonly string[]; max?: number }) => (
  <List size="sm" my="xs" c="#1c2024">
    {(all.length > 0 ? all.slice(0, max) : ['A field that this page does not show']).map((difference) => (
      <List.Item key={difference}>{difference}</List.Item>
    ))}
    {all.length > max && <List.Item>and {all.length - max} more</List.Item>}
  </List>
)
