/** The buyer of an order. All values are invented, and each contains the number of its order. */
export type Customer = {
  id: string
  firstName: string
  lastName: string
  email: string
  phone: string
  company: string
  address1: string
  city: string
  zip: string
  ip: string
  note: string
}

/** The customer of an order, computed from the order's number, so that a test knows what must not be stored. */
export function customerOf(orderNumber: number): Customer {
  const mark = `invented-${orderNumber}`
  return {
    id: String(7_100_000_000_000 + orderNumber),
    firstName: `Firstname-${mark}`,
    lastName: `Lastname-${mark}`,
    email: `customer-${mark}@customer.example`,
    phone: `+44 20 7946 ${String(orderNumber).padStart(6, '0')}`,
    company: `Company-${mark}`,
    address1: `1 Street-${mark}`,
    city: `City-${mark}`,
    zip: `ZIP-${mark}`,
    ip: `2001:db8::${orderNumber.toString(16)}`,
    note: `Note-${mark}`,
  }
}
