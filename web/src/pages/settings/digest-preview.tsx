import { List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { readQuery } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import classes from './settings.module.css'

/** What a digest of this moment says. */
export function DigestPreview() {
  const { data, error, refetch } = useQuery({ ...readQuery('GET /digest/preview', {}), staleTime: 0 })
  return (
    <section aria-label="Preview of the digest">
      {error && !data && <ErrorNotice error={error} onRetry={refetch} />}
      {data && (
        <>
          <Text size="sm" c="dimmed" mb="xs" role="status">
            {data.isNew
              ? 'Something is new, so this would be sent now:'
              : data.sections.length === 0
                ? 'Nothing needs attention, so no e-mail would be sent.'
                : 'Nothing is new since the last digest, so no e-mail would be sent. It would say:'}
          </Text>
          {data.sections.length > 0 && (
            <div className={classes.paper}>
              <Text fw={650}>{data.subject}</Text>
              {data.sections.map(({ name, title, total, lines }) => (
                <div key={name}>
                  <Text size="sm" fw={550} mt="sm">
                    {title} ({total})
                  </Text>
                  <List size="sm" withPadding={false}>
                    {lines.map(({ text, isNew }, at) => (
                      // two lines may have the same text
                      // biome-ignore lint/suspicious/noArrayIndexKey: the list is read-only
                      <List.Item key={at}>
                        {isNew && <b>New: </b>}
                        {text}
                      </List.Item>
                    ))}
                  </List>
                  {total > lines.length && <Text size="sm">and {total - lines.length} more</Text>}
                </div>
              ))}
            </div>
          )}
        </>
      )}
    </section>
  )
}
