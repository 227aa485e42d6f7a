import { NumberInput, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Supplier, SupplierInput } from '../../../../shared/schemas/suppliers.ts'

type SupplierForm = Required<{ [Name in keyof SupplierInput]: string }>

export const noSupplier: SupplierForm = {
  name: '',
  email: '',
  phone: '',
  address: '',
  leadTimeDays: '',
  paymentTerms: '',
  notes: '',
}

export const formOf = ({
  name,
  email,
  phone,
  address,
  leadTimeDays,
  paymentTerms,
  notes,
}: Supplier): SupplierForm => ({
  name,
  email,
  phone,
  address,
  leadTimeDays: leadTimeDays === null ? '' : String(leadTimeDays),
  paymentTerms,
  notes,
})

export const inputOf = ({ leadTimeDays, ...texts }: SupplierForm): SupplierInput => ({
  ...texts,
  leadTimeDays: leadTimeDays === '' ? null : Number(leadTimeDays),
})

export const SupplierFields = ({ form }: { form: UseFormReturnType<SupplierForm> }) => (
  <SimpleGrid cols={{ base: 1, sm: 2 }}>
    <TextInput label="Name" withAsterisk maxLength={200} {...form.getInputProps('name')} />
    <TextInput
      label="E-mail"
      description="Purchase orders are sent to this address"
      type="email"
      inputMode="email"
      {...form.getInputProps('email')}
    />
    <TextInput label="Phone" type="tel" {...form.getInputProps('phone')} />
    <NumberInput
      label="Lead time"
      description="Days from order to arrival"
      allowDecimal={false}
      allowNegative={false}
      suffix=" days"
      hideControls
      {...form.getInputProps('leadTimeDays')}
    />
    <TextInput label="Payment terms" placeholder="Net 30" {...form.getInputProps('paymentTerms')} />
    <Textarea label="Address" autosize minRows={3} {...form.getInputProps('address')} />
    <Textarea
      label="Notes"
      description="Not shown to the supplier"
      autosize
      minRows={3}
      {...form.getInputProps('notes')}
    />
  </SimpleGrid>
)
