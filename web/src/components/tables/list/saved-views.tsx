import { Button, Menu, TextInput } from '@mantine/core'
import { IconBookmark, IconCheck } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ListName, ListView } from '../../../../../shared/schemas/list-views.ts'
import { useChange } from '../../../api/queries.ts'
import { requestAll } from '../../../api/request.ts'
import { Confirm } from '../../feedback/confirm.tsx'
import { notifyDone, notifyRefused } from '../../feedback/notify.ts'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { type FieldErrors, fieldErrors } from '../../forms/form-errors.ts'

/** What a view keeps: filters and sort as in the address, and the chosen columns. */
export type ViewState = { query: string; columns: readonly string[] | null }

type Filter = Record<string, string | number | boolean | undefined>

/** The filters of a list in one form, whatever their order; without empty ones. */
export const queryOf = (filter: Filter) =>
  new URLSearchParams(
    Object.entries(filter)
      .flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]]))
      .sort(([a = ''], [b = '']) => a.localeCompare(b)),
  ).toString()

const viewsQuery = (list: ListName) =>
  queryOptions({
    queryKey: ['GET /list-views', list],
    queryFn: async ({ signal }) => (await requestAll('GET /list-views', { query: { list }, signal })).records,
    staleTime: 60_000,
  })

type Props = {
  list: ListName
  now: ViewState
  /** The filters that a stored query means, where other queries mean the same. */
  meaningOf?: (query: string) => string
  /** Shows a view; its query is that of an address, which the page's own reader of addresses checks. */
  onShow: (state: ViewState) => void
}

/** The views of a list, which the shop shares: shows, saves, replaces, renames and deletes them. */
export function SavedViews({ list, now, meaningOf = (query) => query, onShow }: Props) {
  const { data: views = [] } = useQuery(viewsQuery(list))
  const button = useRef<HTMLButtonElement>(null)
  const [edited, setEdited] = useState<ListView | 'new' | null>(null)
  const [isRemoving, setIsRemoving] = useState(false)
  // the last shown view stays the current one while its filters are changed, so that it can be replaced
  const [currentId, setCurrentId] = useState<number | null>(null)
  const same = views.find(
    (view) => meaningOf(view.query) === meaningOf(now.query) && hasSameColumns(view, now),
  )
  const current = same ?? views.find(({ id }) => id === currentId)
  const replace = useChange('PUT /list-views/:id', {
    onDone: ({ name }) => notifyDone(`View ${name} updated`),
    onRefused: notifyRefused,
  })
  const remove = useChange('DELETE /list-views/:id', {
    onDone: () => {
      setIsRemoving(false)
      notifyDone('View deleted')
    },
  })
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <Button
            ref={button}
            variant="default"
            size="xs"
            leftSection={<IconBookmark size={14} aria-hidden />}
          >
            {same ? `View: ${same.name}` : 'Views'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.map((view) => (
            <Menu.Item
              key={view.id}
              leftSection={view === same ? <IconCheck size={14} aria-hidden /> : <span />}
              onClick={() => {
                setCurrentId(view.id)
                onShow(view)
              }}
            >
              {view.name}
            </Menu.Item>
          ))}
          {views.length > 0 && <Menu.Divider />}
          {!same && <Menu.Item onClick={() => setEdited('new')}>Save this view</Menu.Item>}
          {current && !same && (
            <Menu.Item
              onClick={() =>
                replace.mutate({
                  params: { id: current.id },
                  body: { query: now.query, columns: now.columns && [...now.columns] },
                })
              }
            >
              Update {current.name}
            </Menu.Item>
          )}
          {current && <Menu.Item onClick={() => setEdited(current)}>Rename {current.name}</Menu.Item>}
          {current && <Menu.Item onClick={() => setIsRemoving(true)}>Delete {current.name}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      <FormDialog
        opened={edited !== null}
        onClose={() => setEdited(null)}
        title={edited === 'new' ? 'Save this view' : 'Rename the view'}
        returnFocus={false}
        onExitTransitionEnd={() => button.current?.focus()}
      >
        {edited && <ViewForm list={list} view={edited} now={now} onClose={() => setEdited(null)} />}
      </FormDialog>
      <Confirm
        isOpen={isRemoving}
        title={`Delete ${current?.name ?? 'the view'}?`}
        confirm="Delete view"
        isDestructive
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => current && remove.mutate({ params: { id: current.id } })}
        onCancel={() => setIsRemoving(false)}
        returnTo={button}
      >
        Your colleagues will not see it any more. The records of the list stay.
      </Confirm>
    </>
  )
}

/** No columns of its own means the standard ones; an empty choice hides all that can be hidden. */
const hasSameColumns = (view: ListView, { columns }: ViewState) =>
  (view.columns === null) === (columns === null) &&
  [...(view.columns ?? [])].sort().join('\n') === [...(columns ?? [])].sort().join('\n')

type FormProps = { list: ListName; view: ListView | 'new'; now: ViewState; onClose: () => void }

function ViewForm({ list, view, now, onClose }: FormProps) {
  const [name, setName] = useState(view === 'new' ? '' : view.name)
  const [errors, setErrors] = useState<FieldErrors>({})
  const options = {
    onDone: () => {
      onClose()
      notifyDone('View saved')
    },
    onRefused: (error: unknown) => setErrors(fieldErrors(error)),
  }
  const create = useChange('POST /list-views', options)
  const rename = useChange('PUT /list-views/:id', options)
  const save = () => {
    if (name.trim() === '') return setErrors({ name: 'Enter a name.' })
    const { query, columns } = now
    if (view === 'new') create.mutate({ body: { list, name, query, columns: columns && [...columns] } })
    else rename.mutate({ params: { id: view.id }, body: { name } })
  }
  return (
    <DialogForm
      save="Save view"
      isBusy={create.isPending || rename.isPending}
      error={!errors.name && (create.error ?? rename.error)}
      onSave={save}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="Keeps the filters, the sort and the columns. Everyone in your shop sees the view."
        value={name}
        maxLength={60}
        onChange={({ currentTarget }) => {
          setName(currentTarget.value)
          setErrors({})
        }}
        error={errors.name}
        data-autofocus
      />
    </DialogForm>
  )
}
