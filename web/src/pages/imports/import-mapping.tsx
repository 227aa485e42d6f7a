import { Select, Stack, Text } from '@mantine/core'
import type { Import, ImportQuestion, ImportSheet } from '../../../../shared/schemas/imports.ts'
import { useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Card } from '../../components/layout/card.tsx'
import { TextLink } from '../../components/layout/link-button.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { type Column, RowTable } from '../../components/tables/row-table.tsx'
import { fieldName } from './field-names.ts'
import { kindNames } from './import-state.tsx'
import classes from './imports.module.css'

type MappedColumn = { column: string; field: string | null; samples: string[] }
type Kind = ImportSheet['kind']

const kinds: Kind[] = [
  'purchase_orders',
  'suppliers',
  'supplier_products',
  'reorder_rules',
  'costs',
  'stock_counts',
  'adjustments',
  'skip',
]

/** What was understood: the lists of the file, and for each of their columns the field that it becomes. */
export function ImportMapping({ found }: { found: Import }) {
  const { many } = useFormat()
  const { id, sheets, columns, mapping, state, questions } = found
  const change = useChange('PUT /imports/:id')
  const canChange = state === 'ready' || state === 'checking'
  const isFixed = !canChange || change.isPending
  return (
    <>
      {change.error && <ErrorNotice error={change.error} />}
      <IgnoredFiles files={found.ignored} />
      {sheets.map((sheet) => {
        const rows = mapping
          .map((each, at) => ({ ...each, samples: columns[at]?.samples ?? [] }))
          .filter((each) => each.sheet === sheet.name)
        const facts = [
          many(sheet.rows, 'row'),
          sheet.encoding,
          sheet.delimiter && separatorNames[sheet.delimiter],
        ]
        return (
          <Card key={sheet.name} title={sheet.name} isFlush={sheet.kind !== 'skip'}>
            <Stack gap="xs" align="flex-start" p={sheet.kind === 'skip' ? 0 : 'md'}>
              {canChange && (
                <MappingQuestions questions={questions.filter((each) => each.sheet === sheet.name)} />
              )}
              {canChange && sheet.kind === 'skip' && sheet.isStockList && (
                <Notice tone="waiting" title="Does this list contain stock?">
                  Stock levels do not belong here.{' '}
                  <TextLink to="/stock/import" size="sm">
                    Import them in Stock
                  </TextLink>
                  , where you see each change of stock before it happens.
                </Notice>
              )}
              <Text size="sm" c="dimmed">
                {facts.filter(Boolean).join(' · ')}
                {sheet.kind === 'skip' &&
                  ' · This list is not imported. Choose what it holds, if the app should.'}
              </Text>
              <Select
                size="xs"
                aria-label={`What ${sheet.name} holds`}
                data={kinds.map((kind) => ({ value: kind, label: kindNames[kind] }))}
                value={sheet.kind}
                disabled={isFixed}
                allowDeselect={false}
                onChange={(kind) =>
                  kind &&
                  change.mutate({
                    params: { id },
                    body: { sheets: [{ name: sheet.name, kind: kind as Kind }] },
                  })
                }
              />
            </Stack>
            {sheet.kind !== 'skip' && (
              <RowTable
                label={`Columns of ${sheet.name}`}
                rows={rows}
                keyOf={({ column }) => column}
                columns={mappingColumns(found, sheet.kind, isFixed, (column, field) =>
                  change.mutate({
                    params: { id },
                    body: { mapping: [{ sheet: sheet.name, column, field }] },
                  }),
                )}
              />
            )}
          </Card>
        )
      })}
    </>
  )
}

/** The questions that a choice in the card of the sheet answers; the options of the import answer the others. */
function MappingQuestions({ questions }: { questions: ImportQuestion[] }) {
  const isOpen = questions.some(({ about }) => about === 'kind')
  const missing = questions.filter(({ about }) => about === 'column')
  return (
    <>
      {isOpen && (
        <Notice tone="waiting" title="What does this list contain?">
          Its columns do not show what it contains. Choose it. Stock levels belong in Stock, Import.
        </Notice>
      )}
      {missing.map(({ fields }) => (
        <Notice key={fields.join()} tone="waiting" title="A column is missing">
          {`Choose a column that becomes ${fields.map(fieldName).join(' or ')}.`}
        </Notice>
      ))}
    </>
  )
}

function IgnoredFiles({ files }: { files: Import['ignored'] }) {
  if (files.length === 0) return null
  return (
    <Card title="Files that were not read" isFlush>
      <RowTable
        label="Files that were not read"
        rows={files}
        keyOf={({ name }) => name}
        columns={[
          { name: 'File', cell: ({ name }) => <span className={classes.fileName}>{name}</span> },
          { name: 'Why', cell: ({ reason }) => reason },
        ]}
      />
    </Card>
  )
}

const separatorNames: Record<string, string> = {
  ',': 'separated by commas',
  ';': 'separated by semicolons',
  '\t': 'separated by tabs',
  '|': 'separated by bars',
}

function mappingColumns(
  { fields }: Import,
  kind: Kind,
  isFixed: boolean,
  onChange: (column: string, field: string | null) => void,
): Column<MappedColumn>[] {
  const choices = fields.find((each) => each.kind === kind)?.fields ?? []
  return [
    { name: 'Column', cell: ({ column }) => <Text fw={550}>{column}</Text>, width: 220 },
    {
      name: 'Examples',
      width: 180,
      cell: ({ samples }) => <span className={classes.samples}>{samples.join(' · ') || 'empty'}</span>,
    },
    {
      name: 'Becomes',
      width: 260,
      cell: ({ column, field }) => (
        <Select
          size="xs"
          aria-label={`What ${column} becomes`}
          data={choices.map((value) => ({ value, label: fieldName(value) }))}
          value={field}
          placeholder="Not imported"
          clearable
          searchable
          disabled={isFixed}
          onChange={(value) => onChange(column, value)}
        />
      ),
    },
  ]
}
