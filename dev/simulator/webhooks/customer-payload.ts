import type { Customer } from '../shops/customers.ts'
import { makeGid, type Namespace } from '../shops/ids.ts'

type Buyer = { namespace: Namespace; customer: Customer; createdAt: string; currency: string }

/** The personal data in the body of an order. */
export function customerPayload({ namespace, customer, createdAt, currency }: Buyer) {
  const { id, email, phone, note, ip, firstName: first_name, lastName: last_name } = customer
  const address = {
    first_name,
    last_name,
    name: `${first_name} ${last_name}`,
    company: customer.company,
    address1: customer.address1,
    address2: null,
    city: customer.city,
    zip: customer.zip,
    province: null,
    province_code: null,
    country: 'United Kingdom',
    country_code: 'GB',
    phone,
  }
  return {
    browser_ip: ip,
    client_details: {
      accept_language: 'en-GB',
      browser_height: null,
      browser_ip: ip,
      browser_width: null,
      session_hash: null,
      user_agent: `Mozilla/5.0 (${note})`,
    },
    contact_email: email,
    email,
    phone,
    note,
    billing_address: { ...address, latitude: null, longitude: null },
    shipping_address: { ...address, latitude: null, longitude: null },
    customer: {
      id: BigInt(id),
      created_at: createdAt,
      updated_at: createdAt,
      first_name,
      last_name,
      state: 'disabled',
      note: null,
      verified_email: true,
      multipass_identifier: null,
      tax_exempt: false,
      email,
      phone,
      currency,
      tax_exemptions: [],
      admin_graphql_api_id: makeGid(namespace, 'Customer', id),
      default_address: {
        id: BigInt(id),
        customer_id: BigInt(id),
        ...address,
        country_name: 'United Kingdom',
        default: true,
      },
    },
  }
}
