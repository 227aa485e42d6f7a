import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { IconCheck, IconDownload, IconPrinter } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LabelQuery } from '../../../../shared/schemas/labels.ts'
import { ApiError } from '../../api/api-error.ts'
import { readQuery } from '../../api/queries.ts'
import { requestFile, requestPdf } from '../../api/request.ts'
import { downloadFile, openFile } from '../../browser/download.ts'
import { ErrorNotice } from '../feedback/error-notice.tsx'
import { Notice } from '../feedback/notice.tsx'
import { FormLock } from '../forms/form-lock.tsx'
import { NumberField } from '../forms/number-field.tsx'
import { TextLink } from '../layout/link-button.tsx'
import { useFormat } from '../shop/format.ts'
import { useSettings } from '../shop/settings.tsx'
import {
  type CopiesName,
  copiesNames,
  copiesOf,
  formatOptions,
  isPrintable,
  isSheet,
  type LabelChoices,
  type LabelSource,
  maxParts,
  partsOf,
  pathOf,
  queryOf,
} from './label-choices.ts'

type Props = { source: LabelSource; onClose: () => void }
type Print = { kind: 'pdf' | 'zpl'; chosen: LabelChoices; from?: number }

/** Chooses format and copies; the PDF opens in a new tab, where the browser prints it. */
export function LabelDialog({ source: given, onClose }: Props) {
  // the rows of a list change while the dialog is open
  const [source] = useState(given)
  const { labelFormat } = useSettings()
  const copiesOptions = copiesOf(source)
  const [choices, setChoices] = useState<LabelChoices>({
    ...{ format: labelFormat.format, copies: copiesOptions[0] ?? 'number' },
    ...{ number: 1, startAt: 1, skipWithoutCode: false },
  })
  /** The print that needs several files. */
  const [inParts, setInParts] = useState<Print | null>(null)
  const [printed, setPrinted] = useState<readonly number[]>([])
  const print = useMutation({
    mutationFn: async ({ kind, chosen, from }: Print) => {
      const path = pathOf(kind, queryOf(source, chosen), from)
      if (kind === 'pdf') openFile(await requestPdf(path), 'labels.pdf')
      else downloadFile(await requestFile(path, 'text/plain'), 'labels.zpl')
    },
    onSuccess: (_, { from }) => (from === undefined ? onClose() : setPrinted((now) => [...now, from])),
    onError: (error, variables) => {
      if (!isTooMany(error)) return
      setInParts(variables)
      setPrinted([])
    },
  })
  const choose = (change: Partial<LabelChoices>) => {
    print.reset()
    setInParts(null)
    setChoices((now) => ({ ...now, ...change }))
  }
  const { format, copies, number, startAt } = choices
  const busyWith = print.isPending ? print.variables.kind : null
  const { error } = print
  const canPrint = isPrintable(choices)
  const withoutCode = error instanceof ApiError && error.code === 'no_code' ? error : null
  const repeat = () =>
    print.variables && print.mutate({ ...print.variables, chosen: { ...choices, skipWithoutCode: true } })
  return (
    <Stack>
      <FormLock isBusy={print.isPending}>
        <Select
          label="Label size"
          data={formatOptions}
          value={format}
          onChange={(value) => value && choose({ format: value })}
          allowDeselect={false}
          data-autofocus
        />
        <Select
          label="Labels"
          data={copiesOptions.map((value) => ({ value, label: copiesNames[value] }))}
          value={copies}
          onChange={(value: CopiesName | null) => value && choose({ copies: value })}
          allowDeselect={false}
        />
        {copies === 'number' && (
          <NumberField
            label="Labels for each product"
            value={number}
            onChange={(value) => choose({ number: value })}
            min={1}
            max={9999}
          />
        )}
        {isSheet(format) && (
          <NumberField
            label="First free label of the sheet"
            description="1 is at the top left, 24 at the bottom right"
            value={startAt}
            onChange={(value) => choose({ startAt: value })}
            min={1}
            max={24}
          />
        )}
      </FormLock>
      {withoutCode ? (
        <WithoutCode error={withoutCode} isBusy={print.isPending} onSkip={repeat} />
      ) : (
        error && !isTooMany(error) && <ErrorNotice error={error} />
      )}
      {inParts && (
        <LabelParts
          query={queryOf(source, inParts.chosen)}
          printed={printed}
          isBusy={print.isPending}
          onPrint={(from) => print.mutate({ ...inParts, from })}
        />
      )}
      <Text size="sm" c="dimmed">
        Print the PDF at 100 %, without fitting it to the page. The usual size, the price and the printer are
        in the <TextLink to="/settings">settings</TextLink>.
      </Text>
      <PrintButtons
        {...{ format, busyWith, canPrint }}
        onPrint={(kind) => print.mutate({ kind, chosen: choices })}
      />
    </Stack>
  )
}

type ButtonProps = {
  format: LabelChoices['format']
  busyWith: Print['kind'] | null
  canPrint: boolean
  onPrint: (kind: Print['kind']) => void
}

const PrintButtons = ({ format, busyWith, canPrint, onPrint }: ButtonProps) => (
  <Group justify="flex-end" gap="xs">
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={busyWith === 'zpl'}
      disabled={!canPrint || isSheet(format) || busyWith === 'pdf'}
      onClick={() => onPrint('zpl')}
    >
      ZPL file
    </Button>
    <Button
      leftSection={<IconPrinter size={16} />}
      loading={busyWith === 'pdf'}
      disabled={!canPrint || busyWith === 'zpl'}
      onClick={() => onPrint('pdf')}
    >
      Open PDF
    </Button>
  </Group>
)

const isTooMany = (error: unknown) => error instanceof ApiError && error.code === 'too_many_labels'

type PartsProps = {
  query: LabelQuery
  /** The first labels of the files that were opened or saved. */
  printed: readonly number[]
  isBusy: boolean
  onPrint: (from: number) => void
}

/** A button for each file of labels that do not fit into one. */
function LabelParts({ query, printed, isBusy, onPrint }: PartsProps) {
  const { count } = useFormat()
  const { data, error } = useQuery(readQuery('GET /labels', { query }))
  if (error) return <ErrorNotice error={error} />
  if (!data) return null
  return (
    <Notice tone="waiting" title="These labels need several files">
      <Text c="#1c2024" mb="sm">
        These are {count(data.total)} labels, and one file holds at most {count(data.perFile)}.
        {data.total > maxParts * data.perFile &&
          ` Here are the first ${count(maxParts * data.perFile)}: print fewer copies, or fewer products at once, for the others.`}
      </Text>
      <Group gap="xs">
        {partsOf(data, count).map(({ from, name }) => (
          <Button
            key={from}
            size="xs"
            variant="default"
            disabled={isBusy}
            leftSection={printed.includes(from) && <IconCheck size={16} aria-label="Done" />}
            onClick={() => onPrint(from)}
          >
            Labels {name}
          </Button>
        ))}
      </Group>
    </Notice>
  )
}

const maxShown = 5

function WithoutCode({ error, isBusy, onSkip }: { error: ApiError; isBusy: boolean; onSkip: () => void }) {
  const hidden = error.details.length - maxShown
  return (
    <Notice tone="bad">
      <Text>{error.message}</Text>
      <ul>
        {error.details.slice(0, maxShown).map(({ path, message }) => (
          <li key={path}>{message}</li>
        ))}
        {hidden > 0 && <li>and {hidden} more</li>}
      </ul>
      <Button size="xs" variant="default" loading={isBusy} onClick={onSkip}>
        Print the others
      </Button>
    </Notice>
  )
}
