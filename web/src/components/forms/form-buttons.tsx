import { Button, Group } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'

type Props<T extends Record<string, unknown>> = {
  form: UseFormReturnType<T>
  isBusy: boolean
  /** The words on the button. */
  save: string
}

/** The end of a form that stays open: takes back what was changed since it was saved, or saves it. */
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
