import { Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconPhoto, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useChange } from '../../api/queries.ts'
import { toBase64 } from '../../components/attachments/attached-file.ts'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { useSettings } from '../../components/shop/settings.tsx'
import { fitLogo } from './fit-logo.ts'

/** The logo of documents: stored at once, unlike the fields around it. */
export function LogoField() {
  const { logo } = useSettings()
  const input = useRef<HTMLInputElement>(null)
  const [isRemoving, setRemoving] = useState(false)
  const save = useChange('POST /settings/logo', { onDone: () => notifyDone('Logo saved') })
  const remove = useChange('DELETE /settings/logo', {
    onDone: () => {
      setRemoving(false)
      notifyDone('Logo removed')
    },
  })
  const upload = useMutation({
    mutationFn: async (file: File) =>
      save.mutateAsync({ body: { content: await toBase64(await fitLogo(file)) } }),
  })
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        Logo
      </Text>
      <Text size="xs" c="dimmed">
        At the top of orders and return notes. PNG, JPEG or WebP.
      </Text>
      {upload.error && <ErrorNotice error={upload.error} />}
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<IconPhoto size={16} />}
          loading={upload.isPending}
          onClick={() => input.current?.click()}
        >
          {logo ? 'Replace logo' : 'Upload logo'}
        </Button>
        {logo && (
          <Button
            variant="subtle"
            color="dark.6"
            leftSection={<IconTrash size={16} />}
            onClick={() => setRemoving(true)}
          >
            Remove logo
          </Button>
        )}
      </Group>
      <VisuallyHidden>
        <input
          ref={input}
          type="file"
          aria-label="Logo file"
          tabIndex={-1}
          accept="image/png,image/jpeg,image/webp"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            currentTarget.value = ''
            if (file) upload.mutate(file)
          }}
        />
      </VisuallyHidden>
      <Confirm
        isOpen={isRemoving}
        title="Remove the logo?"
        confirm="Remove logo"
        isDestructive
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({})}
        onCancel={() => setRemoving(false)}
      >
        New documents have no logo. Orders that were e-mailed keep it.
      </Confirm>
    </Stack>
  )
}
