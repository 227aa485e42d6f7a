import '@mantine/core/styles/Progress.css'
import { Button, FileButton, Progress, Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { Card } from '../../components/layout/card.tsx'
import classes from './imports.module.css'
import { maxBytes, uploadFile } from './upload.ts'

type Upload = { name: string; share: number; error?: string }

const accept = '.csv,.tsv,.txt,.json,.jsonl,.xlsx,.zip'

/** Takes many files at once, by a drop or a choice, and sends them one after the other. */
export function DropFiles({ onDone }: { onDone: (ids: number[]) => void }) {
  const client = useQueryClient()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const [isOver, setIsOver] = useState(false)
  const resetFiles = useRef<() => void>(null)
  const isRunning = uploads.some(({ share, error }) => share < 1 && error === undefined)
  const send = async (files: readonly File[]) => {
    resetFiles.current?.()
    if (files.length === 0 || isRunning) return
    setUploads(files.map(({ name }) => ({ name, share: 0 })))
    const update = (at: number, change: Partial<Upload>) =>
      setUploads((now) => now.map((upload, index) => (index === at ? { ...upload, ...change } : upload)))
    const ids: number[] = []
    for (const [at, file] of files.entries()) {
      if (file.size > maxBytes) {
        update(at, { error: 'This file is larger than 20 MB. Split it.' })
        continue
      }
      try {
        ids.push(await uploadFile(file, (share) => update(at, { share })))
      } catch (error) {
        const message =
          error instanceof ApiError ? error.message : 'This file could not be read from your device.'
        update(at, { error: message })
      }
    }
    await client.invalidateQueries()
    onDone(ids)
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
          <FileButton onChange={send} resetRef={resetFiles} accept={accept} multiple>
            {(props) => (
              <Button {...props} loading={isRunning} leftSection={<IconUpload size={16} />}>
                Choose files
              </Button>
            )}
          </FileButton>
          <Text size="sm" c="dimmed">
            Nothing is imported until you have seen what the app understood.
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
