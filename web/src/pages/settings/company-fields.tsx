import { SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { LogoPreview } from './logo-preview.tsx'
import classes from './settings.module.css'
import type { SettingsForm } from './settings-form.ts'

/** The company details, which are also the billing address, with a preview of the PDF's header. */
export function CompanyFields({ form }: { form: UseFormReturnType<SettingsForm> }) {
  const { companyName, address, email, phone } = form.values
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
      <Stack>
        <TextInput label="Company name" maxLength={200} {...form.getInputProps('companyName')} />
        <Textarea label="Address" autosize minRows={3} maxLength={1000} {...form.getInputProps('address')} />
        <TextInput label="Phone" type="tel" maxLength={50} {...form.getInputProps('phone')} />
        <TextInput
          label="Reply-to e-mail"
          description="Suppliers’ replies to an order go to this address"
          type="email"
          inputMode="email"
          {...form.getInputProps('email')}
        />
      </Stack>
      <div className={classes.preview}>
        <Text size="sm" c="dimmed" mb="xs">
          Shown at the top of each order’s PDF, and as the billing address:
        </Text>
        <div className={classes.paper}>
          <LogoPreview />
          <Text fw={650}>{companyName.trim() || 'Your shop name'}</Text>
          {[address, email, phone]
            .map((row) => row.trim())
            .filter(Boolean)
            .map((row) => (
              <Text key={row} size="sm" className={classes.row}>
                {row}
              </Text>
            ))}
        </div>
      </div>
    </SimpleGrid>
  )
}
