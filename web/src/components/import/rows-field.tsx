import { Button, FileButton, Group, Text, Textarea } from '@mantine/core'
import { IconFile } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { maxBytes, readText } from './text-file.ts'

type Props = {
  label: string
  sample: string
  rows: string
  onChange: (rows: string) => void
  /** Called with the rows of a chosen file at once, and with the pasted ones on request. */
  onCheck: (rows: string) => void
  isChecking: boolean
  isChecked: boolean
  error: string | undefined
}

/** Rows to import, from a file or pasted from a spreadsheet, with the button that checks them. */
export function RowsField({ label, sample, rows, onChange, onCheck, isChecking, isChecked, error }: Props) {
  const [isTooLarge, setTooLarge] = useState(false)
  const resetFile = useRef<() => void>(null)
  const change = (text: string) => {
    setTooLarge(false)
    onChange(text)
  }
  const pick = async (file: File | null) => {
    if (!file) return
    // the input must be reset, or it ignores a second choice of the same file
    resetFile.current?.()
    if (file.size > maxBytes) return setTooLarge(true)
    const text = await readText(file)
    change(text)
    onCheck(text)
  }
  return (
    <>
      <Group gap="xs">
        <FileButton onChange={pick} resetRef={resetFile} accept=".csv,.txt,.tsv,text/csv,text/plain">
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconFile size={16} />}>
              Choose a file
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          or paste the rows here:
        </Text>
      </Group>
      <Textarea
        label={label}
        rows={8}
        value={rows}
        onChange={(event) => change(event.currentTarget.value)}
        placeholder={sample}
        spellCheck={false}
        error={isTooLarge ? 'This file is too large. Split it into files of at most 900 kB.' : error}
      />
      <Group justify="flex-end">
        <Button
          variant={isChecked ? 'default' : 'filled'}
          onClick={() => onCheck(rows)}
          loading={isChecking}
          disabled={rows.trim() === ''}
        >
          Check
        </Button>
      </Group>
    </>
  )
}
