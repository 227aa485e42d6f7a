import { Button, type ButtonProps } from '@mantine/core'
import { useChange } from '../../api/queries.ts'
import { notifyDone, notifyRefused } from '../../components/feedback/notify.ts'

type Props = ButtonProps & { supplier: { id: number; name: string } }

/** The button that restores an archived supplier. */
export function RestoreSupplier({ supplier: { id, name }, ...props }: Props) {
  const restore = useChange('POST /suppliers/:id/restore', {
    onDone: () => notifyDone(`${name} restored`),
    onRefused: notifyRefused,
  })
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={`Restore ${name}`}
      loading={restore.isPending}
      onClick={() => restore.mutate({ params: { id } })}
      {...props}
    >
      Restore
    </Button>
  )
}
