import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { Fieldset, Select, SimpleGrid, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Supplier, SupplierInput } from '../../../../shared/schemas/suppliers.ts'
import { listQuery } from '../../api/queries.ts'
import { NumberField } from '../../components/forms/number-field.tsx'
import { TextLink } from '../../components/layout/link-button.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { countryOptions, findCountries } from './countries.ts'
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

/**
 * Another supplier whose name reads the same: two groups of one name on Reorder cannot be told apart. `ask` reads the suppliers
 * with the name in the form.
 */
function useNamesake(name: string, id: number | undefined) {
  const wanted = name.trim()
  const [asked, setAsked] = useState(wanted)
  const { data } = useInfiniteQuery({
    ...listQuery('GET /suppliers', { query: { search: asked, limit: 250 } }),
    enabled: asked !== '',
  })
  const found = data?.pages.flatMap(({ records }) => records) ?? []
  return {
    namesake: found.find((known) => known.id !== id && known.name.toLowerCase() === wanted.toLowerCase()),
    ask: () => setAsked(wanted),
  }
}

type Props = {
  form: UseFormReturnType<SupplierForm>
  /** The stored supplier; undefined for a new one. */
  id?: number
}

const fieldOf = (form: Props['form']) => (name: keyof SupplierForm) => ({
  label: fieldNames[name],
  ...form.getInputProps(name),
})

export function SupplierFields({ form, id }: Props) {
  const { namesake, ask } = useNamesake(form.values.name, id)
  const { currency } = useFormat()
  const field = fieldOf(form)
  const ofOrders = form.values.currency.trim().toUpperCase() || currency
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          {...field('name')}
          onBlur={ask}
          description={
            namesake && (
              <Text span inherit c="#7a4a00">
                You already have{' '}
                <TextLink to="/suppliers/$id" params={{ id: namesake.id }} inherit>
                  {namesake.name}
                </TextLink>
                . Give this one a name of its own.
              </Text>
            )
          }
          withAsterisk
          maxLength={200}
        />
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
          <NumberField {...field('leadTimeDays')} description="Days from order to arrival" suffix=" days" />
          <NumberField {...field('orderCycleDays')} description="Days between two orders" suffix=" days" />
          <NumberField
            {...field('minimumOrderValue')}
            description={`In ${ofOrders}`}
            decimals={2}
            currency={ofOrders}
          />
          <NumberField {...field('minimumOrderQuantity')} description="Pieces" />
          <NumberField
            {...field('freeFreightValue')}
            description={`In ${ofOrders}; the supplier pays the freight of larger orders`}
            decimals={2}
            currency={ofOrders}
          />
          <NumberField
            {...field('defaultTaxRate')}
            description="Of new order lines"
            decimals={3}
            suffix=" %"
          />
        </SimpleGrid>
      </Fieldset>
      <AddressFields form={form} />
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

function AddressFields({ form }: Pick<Props, 'form'>) {
  const field = fieldOf(form)
  return (
    <Fieldset legend="Address" className={classes.group}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput {...field('addressLine1')} maxLength={200} />
        <TextInput {...field('addressLine2')} maxLength={200} />
        <TextInput {...field('postalCode')} maxLength={30} />
        <TextInput {...field('city')} maxLength={100} />
        <TextInput {...field('region')} maxLength={100} />
        <Select
          {...field('countryCode')}
          value={form.values.countryCode || null}
          onChange={(code) => form.setFieldValue('countryCode', code ?? '')}
          data={countryOptions(form.values.countryCode)}
          filter={findCountries}
          nothingFoundMessage="No matching countries"
          searchable
          clearable
          allowDeselect={false}
          // otherwise Enter in the search saves the form
          selectFirstOptionOnChange
        />
        <Textarea
          {...field('address')}
          description="As one text, instead of the fields above"
          autosize
          minRows={3}
        />
      </SimpleGrid>
    </Fieldset>
  )
}
