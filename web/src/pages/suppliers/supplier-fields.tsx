import {
  Fieldset,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Supplier, SupplierInput } from '../../../../shared/schemas/suppliers.ts'
import { useFormat } from '../../components/shop/format.ts'
import classes from './supplier-fields.module.css'

/** Numbers are texts while they are typed; an empty one is not given. */
export type SupplierForm = { [Name in Exclude<keyof SupplierInput, 'aliases'>]-?: string } & {
  aliases: string[]
}

const numberFields = [
  'leadTimeDays',
  'minimumOrderValue',
  'minimumOrderQuantity',
  'freeFreightValue',
  'orderCycleDays',
  'defaultTaxRate',
] as const
const nullableTexts = ['currency', 'countryCode', 'language'] as const

export const noSupplier: SupplierForm = {
  name: '',
  email: '',
  phone: '',
  address: '',
  leadTimeDays: '',
  paymentTerms: '',
  notes: '',
  accountNumber: '',
  currency: '',
  addressLine1: '',
  addressLine2: '',
  city: '',
  region: '',
  postalCode: '',
  countryCode: '',
  taxId: '',
  minimumOrderValue: '',
  minimumOrderQuantity: '',
  freeFreightValue: '',
  orderCycleDays: '',
  defaultTaxRate: '',
  language: '',
  externalRef: '',
  aliases: [],
}

export function formOf(supplier: Supplier): SupplierForm {
  const { aliases: _aliases, ...empty } = noSupplier
  const names = Object.keys(empty) as (keyof typeof empty)[]
  const texts = Object.fromEntries(names.map((name) => [name, String(supplier[name] ?? '')]))
  return { ...noSupplier, ...texts, aliases: supplier.aliases }
}

export function inputOf(form: SupplierForm): SupplierInput {
  const numbers = numberFields.map((name) => [name, form[name] === '' ? null : Number(form[name])])
  const texts = nullableTexts.map((name) => [name, form[name].trim().toUpperCase() || null])
  return {
    ...form,
    ...Object.fromEntries([...numbers, ...texts]),
    language: languages.find(({ value }) => value === form.language)?.value ?? null,
  }
}

/** The labels of the fields, also for the list of what another user changed. */
export const fieldNames: Record<keyof SupplierForm, string> = {
  name: 'Name',
  email: 'E-mail',
  phone: 'Phone',
  address: 'Address',
  leadTimeDays: 'Lead time',
  paymentTerms: 'Payment terms',
  notes: 'Notes',
  accountNumber: 'Account number',
  currency: 'Currency',
  addressLine1: 'Street',
  addressLine2: 'Street, second line',
  city: 'City',
  region: 'State or region',
  postalCode: 'Postal code',
  countryCode: 'Country',
  taxId: 'Tax ID',
  minimumOrderValue: 'Minimum order value',
  minimumOrderQuantity: 'Minimum order quantity',
  freeFreightValue: 'Free freight from',
  orderCycleDays: 'Order cycle',
  defaultTaxRate: 'Tax rate',
  language: 'Language of orders',
  externalRef: 'External reference',
  aliases: 'Vendors',
}

const languages = [
  { value: 'en', label: 'English' },
  { value: 'de', label: 'German' },
  { value: 'fr', label: 'French' },
  { value: 'es', label: 'Spanish' },
  { value: 'it', label: 'Italian' },
  { value: 'nl', label: 'Dutch' },
  { value: 'pt', label: 'Portuguese' },
] as const

type Props = { form: UseFormReturnType<SupplierForm> }

export function SupplierFields({ form }: Props) {
  const { currency, decimalSeparator } = useFormat()
  const field = (name: keyof SupplierForm) => ({ label: fieldNames[name], ...form.getInputProps(name) })
  const number = (name: (typeof numberFields)[number]) => ({
    ...field(name),
    allowNegative: false,
    decimalSeparator,
    hideControls: true,
  })
  const ofOrders = form.values.currency.trim().toUpperCase() || currency
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput {...field('name')} withAsterisk maxLength={200} />
        <TextInput
          {...field('email')}
          description="Purchase orders are sent to this address"
          type="email"
          inputMode="email"
        />
        <TextInput {...field('phone')} type="tel" />
        <Select
          {...field('language')}
          value={form.values.language || null}
          onChange={(language) => form.setFieldValue('language', language ?? '')}
          data={languages}
          placeholder="The language of the shop"
          clearable
        />
      </SimpleGrid>
      <Fieldset legend="Terms" className={classes.group}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            {...field('currency')}
            description="Of prices and orders"
            placeholder={currency}
            maxLength={3}
          />
          <TextInput {...field('paymentTerms')} placeholder="Net 30" />
          <NumberInput
            {...number('leadTimeDays')}
            description="Days from order to arrival"
            allowDecimal={false}
            suffix=" days"
          />
          <NumberInput
            {...number('orderCycleDays')}
            description="Days between two orders"
            allowDecimal={false}
            suffix=" days"
          />
          <NumberInput {...number('minimumOrderValue')} description={`In ${ofOrders}`} decimalScale={2} />
          <NumberInput {...number('minimumOrderQuantity')} description="Pieces" allowDecimal={false} />
          <NumberInput
            {...number('freeFreightValue')}
            description={`In ${ofOrders}; the supplier pays the freight of larger orders`}
            decimalScale={2}
          />
          <NumberInput
            {...number('defaultTaxRate')}
            description="Of new order lines"
            decimalScale={3}
            suffix=" %"
          />
        </SimpleGrid>
      </Fieldset>
      <Fieldset legend="Address" className={classes.group}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput {...field('addressLine1')} maxLength={200} />
          <TextInput {...field('addressLine2')} maxLength={200} />
          <TextInput {...field('postalCode')} maxLength={30} />
          <TextInput {...field('city')} maxLength={100} />
          <TextInput {...field('region')} maxLength={100} />
          <TextInput {...field('countryCode')} description="Two letters" placeholder="FR" maxLength={2} />
          <Textarea
            {...field('address')}
            description="As one text, instead of the fields above"
            autosize
            minRows={3}
          />
        </SimpleGrid>
      </Fieldset>
      <Fieldset legend="References" className={classes.group}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput {...field('accountNumber')} description="Your number at this supplier" maxLength={100} />
          <TextInput {...field('taxId')} maxLength={50} />
          <TextInput {...field('externalRef')} description="Its id in another system" maxLength={200} />
          <TagsInput
            {...field('aliases')}
            description="How your products’ vendor field names it. Press Enter after each name"
            maxTags={100}
          />
          <Textarea {...field('notes')} description="Not shown to the supplier" autosize minRows={3} />
        </SimpleGrid>
      </Fieldset>
    </Stack>
  )
}
