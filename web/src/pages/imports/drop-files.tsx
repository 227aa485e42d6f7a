import '@mantine/core/styles/Progress.css'
import { Button, FileButton, Progress, Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { Card } from '../../components/layout/card.tsx'
import classes from './imports.module.css'
import { maxBytes, titleOf, uploadFiles } from './upload.ts'

type Upload = { name: string; share: number; error?: string }

const extensions = ['.csv', '.tsv', '.txt', '.json', '.jsonl', '.xlsx', '.zip']

/** Takes many files at once, by a drop or a choice, which become one import. A file that cannot be read is named and not sent. */
export function DropFiles({ onDone }: { onDone: (id: number) => void }) {
  const client = useQueryClient()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const [isOver, setIsOver] = useState(false)
  const resetFiles = useRef<() => void>(null)
  const isRunning = uploads.some(({ share, error }) => share < 1 && error === undefined)
  const send = async (files: readonly File[]) => {
    resetFiles.current?.()
    if (files.length === 0 || isRunning) return
    const readable = files.filter(({ name }) => extensions.some((end) => name.toLowerCase().endsWith(end)))
    const refused = files
      .filter((file) => !readable.includes(file))
      .map(({ name }) => ({
        name,
        share: 0,
        error: /\.xls$/i.test(name)
          ? 'Not sent. Save it as .xlsx or CSV.'
          : 'Not sent. The app reads CSV, Excel (XLSX), JSON and ZIP.',
      }))
    const name = titleOf(readable)
    const show = (upload: Omit<Upload, 'name'>) => setUploads([{ name, ...upload }, ...refused])
    if (readable.length === 0) return setUploads(refused)
    if (readable.reduce((sum, { size }) => sum + size, 0) > maxBytes)
      return show({ share: 0, error: 'More than 20 MB. Split a large file, or add fewer files at a time.' })
    show({ share: 0 })
    try {
      const id = await uploadFiles(readable, (share) => show({ share }))
      await client.invalidateQueries()
      if (refused.length === 0) onDone(id)
    } catch (error) {
      const message =
        error instanceof ApiError ? error.message : 'The file could not be read from your device.'
      show({ share: 0, error: message })
    }
  }
  return (
    <Card title="Add your files">
      <Stack>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the button does the same with the keyboard */}
        <div
          className={classes.drop}
          data-over={isOver || undefined}
          onDragOver={(event) => {
            event.preventDefault()
            setIsOver(true)
          }}
          onDragLeave={() => setIsOver(false)}
          onDrop={(event) => {
            event.preventDefault()
            setIsOver(false)
            void send([...event.dataTransfer.files])
          }}
        >
          <Text>Drop all files here: CSV, Excel, JSON or a ZIP of them.</Text>
          <FileButton onChange={send} resetRef={resetFiles} accept={extensions.join(',')} multiple>
            {(props) => (
              <Button {...props} loading={isRunning} leftSection={<IconUpload size={16} />}>
                Choose files
              </Button>
            )}
          </FileButton>
          <Text size="sm" c="dimmed">
            Files that you add together are one import, so orders find their lines and suppliers. Nothing is
            imported until you have seen what the app understood.
          </Text>
        </div>
        {uploads.map(({ name, share, error }) => (
          <div key={name}>
            <Text size="sm" className={classes.fileName}>
              {name}
            </Text>
            {error === undefined ? (
              <Progress value={share * 100} aria-label={`Upload of ${name}`} />
            ) : (
              <Text size="sm" c="red.9" role="alert">
                {error}
              </Text>
            )}
          </div>
        ))}
      </Stack>
    </Card>
  )
}
