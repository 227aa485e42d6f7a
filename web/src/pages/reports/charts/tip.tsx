import { Paper, Text } from '@mantine/core'

/** The tooltip of a chart, narrow enough for a phone. */
export const Tip = ({ title, lines }: { title: string; lines: readonly string[] }) => (
  <Paper withBorder shadow="md" p="xs" maw={200}>
    <Text size="sm" fw={600}>
      {title}
    </Text>
    {lines.map((line) => (
      <Text key={line} size="sm">
        {line}
      </Text>
    ))}
  </Paper>
)
