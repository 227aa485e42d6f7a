import {
  ActionIcon,
  Button,
  Group,
  Skeleton,
  Stack,
  Text,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core'
import { IconCamera, IconPaperclip, IconTrash } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import type { Attachment, AttachmentSubject } from '../../../../shared/schemas/attachments.ts'
import { listQuery, useChange } from '../../api/queries.ts'
import { requestFile } from '../../api/request.ts'
import { openFile } from '../../browser/download.ts'
import { Confirm } from '../feedback/confirm.tsx'
import { ErrorNotice } from '../feedback/error-notice.tsx'
import { notifyRefused } from '../feedback/notify.ts'
import { Card } from '../layout/card.tsx'
import { useFormat } from '../shop/format.ts'
import { acceptedTypes, fitFile, maxBytes, maxFiles, sizeOf, toBase64 } from './attached-file.ts'
import classes from './attachments.module.css'

type Props = { subject: AttachmentSubject; subjectId: number }

/** The files of a document: photos and PDFs, with their upload, also from the camera of a phone. */
export function Attachments({ subject, subjectId }: Props) {
  const { data, error, isPending, refetch } = useInfiniteQuery(
    listQuery('GET /attachments', { query: { subject, subjectId } }),
  )
  const [deleting, setDeleting] = useState<Attachment | null>(null)
  const files = data?.pages.flatMap(({ records }) => records) ?? []
  return (
    <Card title="Files">
      <Stack gap="sm">
        {isPending && <Skeleton height={40} />}
        {error && !data && <ErrorNotice error={error} onRetry={refetch} />}
        {data && files.length === 0 && (
          <Text c="dimmed">
            No files yet. Add photos or PDFs, such as a delivery note: 2 MB at most each.
          </Text>
        )}
        {files.length > 0 && (
          <ul className={classes.files}>
            {files.map((file) => (
              <FileEntry key={file.id} file={file} onDelete={() => setDeleting(file)} />
            ))}
          </ul>
        )}
        {data && <Upload subject={subject} subjectId={subjectId} isFull={files.length >= maxFiles} />}
      </Stack>
      {deleting && <DeleteDialog file={deleting} onClose={() => setDeleting(null)} />}
    </Card>
  )
}

function FileEntry({ file, onDelete }: { file: Attachment; onDelete: () => void }) {
  const { dateTime } = useFormat()
  const { id, name, mediaType, size, createdAt } = file
  const open = useMutation({
    mutationFn: async () => openFile(await requestFile(`/attachments/${id}/file`, mediaType), name),
    onError: notifyRefused,
  })
  return (
    <li className={classes.file}>
      <div className={classes.name}>
        <UnstyledButton onClick={() => open.mutate()} disabled={open.isPending}>
          <Text size="sm" td="underline">
            {name}
          </Text>
        </UnstyledButton>
        <Text size="xs" c="dimmed">
          {sizeOf(size)} · {dateTime(createdAt)}
        </Text>
      </div>
      <ActionIcon variant="subtle" color="dark.6" size="lg" aria-label={`Delete ${name}`} onClick={onDelete}>
        <IconTrash size={18} />
      </ActionIcon>
    </li>
  )
}

/** Sends one file after the other; the first that is refused ends it, and its reason is shown. */
function Upload({ subject, subjectId, isFull }: Props & { isFull: boolean }) {
  const chosen = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const add = useChange('POST /attachments')
  const upload = useMutation({
    mutationFn: async (files: readonly File[]) => {
      for (const file of files) {
        const { name, blob } = await fitFile(file)
        if (blob.size > maxBytes)
          throw new Error(`${name} is ${sizeOf(blob.size)}. A file can have at most 2 MB.`)
        await add.mutateAsync({ body: { subject, subjectId, name, content: await toBase64(blob) } })
      }
    },
  })
  if (isFull) return <Text c="dimmed">This document has {maxFiles} files, the most it can have.</Text>
  const input = (ref: RefObject<HTMLInputElement | null>, label: string, isCamera: boolean) => (
    <VisuallyHidden>
      <input
        ref={ref}
        type="file"
        aria-label={label}
        tabIndex={-1}
        accept={isCamera ? 'image/*' : acceptedTypes}
        multiple={!isCamera}
        {...(isCamera && { capture: 'environment' })}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          currentTarget.value = ''
          if (files.length > 0) upload.mutate(files)
        }}
      />
    </VisuallyHidden>
  )
  return (
    <Stack gap="xs">
      {upload.error && <UploadError error={upload.error} />}
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<IconPaperclip size={16} />}
          loading={upload.isPending}
          onClick={() => chosen.current?.click()}
        >
          Add files
        </Button>
        <Button
          variant="default"
          leftSection={<IconCamera size={16} />}
          disabled={upload.isPending}
          onClick={() => camera.current?.click()}
        >
          Take a photo
        </Button>
      </Group>
      {input(chosen, 'Files', false)}
      {input(camera, 'Photo', true)}
    </Stack>
  )
}

const UploadError = ({ error }: { error: Error }) =>
  'code' in error ? (
    <ErrorNotice error={error} />
  ) : (
    <Text c="var(--mantine-color-error)" role="alert">
      {error.message}
    </Text>
  )

function DeleteDialog({ file, onClose }: { file: Attachment; onClose: () => void }) {
  const remove = useChange('DELETE /attachments/:id', { onDone: onClose })
  return (
    <Confirm
      isOpen
      title={`Delete ${file.name}?`}
      confirm="Delete file"
      isDestructive
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { id: file.id } })}
      onCancel={onClose}
    >
      The file is deleted for everyone in your shop. You cannot undo this.
    </Confirm>
  )
}
