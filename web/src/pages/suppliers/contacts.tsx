import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Supplier, SupplierContact } from '../../../../shared/schemas/suppliers.ts'
import { optimisticUpdate, readQuery, useChange } from '../../api/queries.ts'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { notifyRefused } from '../../components/feedback/notify.ts'
import { Card } from '../../components/layout/card.tsx'
import { ContactDialog } from './contact-dialog.tsx'
import classes from './contacts.module.css'

export function Contacts({ supplier }: { supplier: Supplier }) {
  const [edited, setEdited] = useState<SupplierContact | 'new' | null>(null)
  const [deleted, setDeleted] = useState<SupplierContact | null>(null)
  const remove = useChange('DELETE /suppliers/:id/contacts/:contactId', {
    optimistic: ({ params: { id, contactId } }) =>
      optimisticUpdate(readQuery('GET /suppliers/:id', { params: { id } }), (now) => ({
        ...now,
        contacts: now.contacts.filter((contact) => contact.id !== contactId),
      })),
    onRefused: notifyRefused,
  })
  return (
    <Card
      title="Contacts"
      action={
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => setEdited('new')}
        >
          Add a contact
        </Button>
      }
    >
      {supplier.contacts.length === 0 ? (
        <Text c="dimmed">
          No contacts yet. If the supplier has no e-mail address, orders go to the first contact that has one.
        </Text>
      ) : (
        <Stack gap={0} component="ul" className={classes.list}>
          {supplier.contacts.map((contact) => (
            <li key={contact.id} className={classes.contact}>
              <div className={classes.text}>
                <Text fw={600}>
                  {contact.name}
                  {contact.role && (
                    <Text span c="dimmed" fw={400}>
                      {' '}
                      · {contact.role}
                    </Text>
                  )}
                </Text>
                <Text size="sm">{[contact.email, contact.phone].filter(Boolean).join(' · ') || '—'}</Text>
              </div>
              <Group gap={4} wrap="nowrap">
                <ActionIcon
                  variant="subtle"
                  color="dark.6"
                  size="lg"
                  aria-label={`Edit ${contact.name}`}
                  onClick={() => setEdited(contact)}
                >
                  <IconPencil size={18} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="dark.6"
                  size="lg"
                  aria-label={`Delete ${contact.name}`}
                  onClick={() => setDeleted(contact)}
                >
                  <IconTrash size={18} />
                </ActionIcon>
              </Group>
            </li>
          ))}
        </Stack>
      )}
      <ContactDialog supplierId={supplier.id} contact={edited} onClose={() => setEdited(null)} />
      <Confirm
        isOpen={deleted !== null}
        title={`Delete ${deleted?.name ?? ''}?`}
        confirm="Delete"
        isDestructive
        onConfirm={() => {
          if (deleted) remove.mutate({ params: { id: supplier.id, contactId: deleted.id } })
          setDeleted(null)
        }}
        onCancel={() => setDeleted(null)}
      >
        Orders sent to this contact are not changed.
      </Confirm>
    </Card>
  )
}
