import { Button, type ButtonProps } from '@mantine/core'
import { IconBarcode } from '@tabler/icons-react'
import { useState } from 'react'
import { FormDialog } from '../forms/form-dialog.tsx'
import type { LabelSource } from './label-choices.ts'
import { LabelDialog } from './label-dialog.tsx'

type Props = ButtonProps & { source: LabelSource; label?: string }

/** A button that opens the dialog for labels of a receipt, an order or products. */
export function PrintLabels({ source, label, ...look }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconBarcode size={16} />}
        aria-label={label}
        {...look}
        onClick={() => setOpen(true)}
      >
        Print labels
      </Button>
      <FormDialog opened={isOpen} onClose={() => setOpen(false)} title="Print labels">
        <LabelDialog source={source} onClose={() => setOpen(false)} />
      </FormDialog>
    </>
  )
}
