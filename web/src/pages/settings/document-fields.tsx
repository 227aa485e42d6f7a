import { Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Settings } from '../../../../shared/schemas/settings.ts'
import { PdfButton } from '../../components/layout/pdf-button.tsx'
import { useSettings } from '../../components/shop/settings.tsx'
import { LogoField } from './logo-field.tsx'
import type { SettingsForm } from './settings-form.ts'

const paperNames: Record<Settings['paperInUse'], string> = { a4: 'A4', letter: 'US Letter' }

/** What documents and e-mails for suppliers say beside the company details. */
export function DocumentFields({ form }: { form: UseFormReturnType<SettingsForm> }) {
  const { paper, paperInUse } = useSettings()
  const automatic = paper === 'auto' ? `By country (${paperNames[paperInUse]})` : 'By country'
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
      <TextInput
        label="Tax number"
        description="Such as your VAT number. On orders and return notes."
        maxLength={50}
        {...form.getInputProps('taxId')}
      />
      <TextInput
        label="Ordered by"
        description="The buyer’s name on orders. Blank leaves it out."
        maxLength={100}
        {...form.getInputProps('orderedBy')}
      />
      <TextInput
        label="Copy of order e-mails"
        description="This address gets a copy of each order. You can remove it when you send one."
        type="email"
        inputMode="email"
        {...form.getInputProps('mailCopyTo')}
      />
      <Select
        label="Paper"
        description="Of orders, return notes and pick lists."
        data={[
          { value: 'auto', label: automatic },
          { value: 'a4', label: paperNames.a4 },
          { value: 'letter', label: paperNames.letter },
        ]}
        allowDeselect={false}
        {...form.getInputProps('paper')}
      />
      <LogoField />
      <Stack gap="xs" align="start">
        <Text size="sm" fw={500}>
          Example
        </Text>
        <Text size="xs" c="dimmed">
          An invented order with your saved settings.
        </Text>
        <PdfButton path="/settings/sample-order.pdf" file="sample-order.pdf" label="Preview your order PDF" />
      </Stack>
    </SimpleGrid>
  )
}
