import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { SupplierContact } from '../../../../shared/schemas/suppliers.ts'
import { useChange } from '../../api/queries.ts'
import { DialogForm } from '../../components/forms/dialog-form.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { fieldErrors } from '../../components/forms/form-errors.ts'

type Props = { supplierId: number; contact: SupplierContact | 'new' | null; onClose: () => void }

/** Adds or edits a contact. */
export const ContactDialog = ({ supplierId, contact, onClose }: Props) => (
  <FormDialog
    opened={contact !== null}
    onClose={onClose}
    title={contact === 'new' ? 'Add a contact' : 'Edit contact'}
  >
    {contact !== null && <ContactForm supplierId={supplierId} contact={contact} onClose={onClose} />}
  </FormDialog>
)

function ContactForm({ supplierId, contact, onClose }: Props & { contact: SupplierContact | 'new' }) {
  const { name, email, phone, role } =
    contact === 'new' ? { name: '', email: '', phone: '', role: '' } : contact
  const form = useForm({ initialValues: { name, email, phone, role } })
  const callbacks = { onDone: onClose, onRefused: (error: unknown) => form.setErrors(fieldErrors(error)) }
  const add = useChange('POST /suppliers/:id/contacts', { ...callbacks, isForm: true })
  const change = useChange('PUT /suppliers/:id/contacts/:contactId', callbacks)
  const save = form.onSubmit((body) =>
    contact === 'new'
      ? add.mutate({ params: { id: supplierId }, body })
      : change.mutate({
          params: { id: supplierId, contactId: contact.id },
          body: { ...body, version: contact.version },
        }),
  )
  return (
    <DialogForm
      isBusy={add.isPending || change.isPending}
      error={Object.keys(form.errors).length === 0 && (add.error ?? change.error)}
      onSave={save}
      onClose={onClose}
    >
      <TextInput label="Name" withAsterisk data-autofocus {...form.getInputProps('name')} />
      <TextInput label="Role" placeholder="Sales" {...form.getInputProps('role')} />
      <TextInput label="E-mail" type="email" {...form.getInputProps('email')} />
      <TextInput label="Phone" type="tel" {...form.getInputProps('phone')} />
    </DialogForm>
  )
}
