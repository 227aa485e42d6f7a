import { Button, Group } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'

type Props<T extends Record<string, unknown>> = {
  form: UseFormReturnType<T>
  isBusy: boolean
  save: string
}

/** The Discard and Save buttons of a form that stays open after saving. */
export const FormButtons = <T extends Record<string, unknown>>({ form, isBusy, save }: Props<T>) => (
  <Group justify="flex-end" gap="xs">
    <Button variant="default" disabled={!form.isDirty() || isBusy} onClick={form.reset}>
      Discard changes
    </Button>
    <Button type="submit" loading={isBusy} disabled={!form.isDirty()}>
      {save}
    </Button>
  </Group>
)
