import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { SupplierContact } from '../../../../shared/schemas/suppliers.ts'
import { useChange } from '../../api/queries.ts'
import { request } from '../../api/request.ts'
import { fieldErrors } from '../../components/forms/form-errors.ts'
import { RecordDialog, RecordForm, type RecordFormOf } from '../../components/forms/record-dialog.tsx'
import { changedFields } from '../../components/forms/record-save.ts'
import { useTheirs } from '../../components/forms/their-changes.ts'

type Props = { supplierId: number; contact: SupplierContact | 'new' | null; onClose: () => void }

/** Adds or edits a contact. */
export const ContactDialog = ({ supplierId, contact, onClose }: Props) => (
  <RecordDialog title="Edit contact" addTitle="Add a contact" edited={contact} onClose={onClose}>
    {(form) => <ContactForm supplierId={supplierId} {...form} />}
  </RecordDialog>
)

type FormProps = RecordFormOf<SupplierContact> & { supplierId: number }

function ContactForm({ supplierId, record: contact, onTake, onClose }: FormProps) {
  const { name, email, phone, role } = contact ?? { name: '', email: '', phone: '', role: '' }
  const form = useForm({ initialValues: { name, email, phone, role } })
  const { theirs, unread, readTheirs } = useTheirs(
    contact
      ? { queryKey: ['contact', contact.id], queryFn: () => readContact(supplierId, contact.id) }
      : undefined,
  )
  const callbacks = {
    onDone: onClose,
    onRefused: async (error: unknown) => {
      form.setErrors(fieldErrors(error))
      await readTheirs(error)
    },
  }
  const add = useChange('POST /suppliers/:id/contacts', { ...callbacks, isForm: true })
  const change = useChange('PUT /suppliers/:id/contacts/:contactId', callbacks)
  const save = (version = contact?.version) =>
    form.onSubmit((body) =>
      contact && version
        ? change.mutate({
            params: { id: supplierId, contactId: contact.id },
            body: { ...body, version },
          })
        : add.mutate({ params: { id: supplierId }, body }),
    )()
  return (
    <RecordForm
      noun="contact"
      isBusy={add.isPending || change.isPending}
      error={unread ?? add.error ?? change.error}
      hasFieldErrors={Object.keys(form.errors).length > 0}
      differences={contact && theirs && changedFields(shownOf(contact), shownOf(theirs))}
      onKeep={() => save(theirs?.version)}
      onTake={() => theirs && onTake(theirs)}
      onSave={() => save()}
      onClose={onClose}
    >
      <TextInput label="Name" withAsterisk data-autofocus {...form.getInputProps('name')} />
      <TextInput label="Role" placeholder="Sales" {...form.getInputProps('role')} />
      <TextInput label="E-mail" type="email" {...form.getInputProps('email')} />
      <TextInput label="Phone" type="tel" {...form.getInputProps('phone')} />
    </RecordForm>
  )
}

/** Null: deleted since. */
async function readContact(supplierId: number, id: number): Promise<SupplierContact | null> {
  const { contacts } = await request('GET /suppliers/:id', { params: { id: supplierId } })
  return contacts.find((contact) => contact.id === id) ?? null
}

const shownOf = ({ name, role, email, phone }: SupplierContact) => ({
  Name: name,
  Role: role || 'empty',
  'E-mail': email || 'empty',
  Phone: phone || 'empty',
})
