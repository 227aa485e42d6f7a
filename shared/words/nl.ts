import type { Words } from './en.ts'

export const nl: Words = {
  purchaseOrder: 'Inkooporder',
  returnNote: 'Retourbon',
  revision: 'Revisie',
  draft: 'CONCEPT',
  cancelled: 'GEANNULEERD',
  supplier: 'LEVERANCIER',
  shipTo: 'AFLEVERADRES',
  billTo: 'FACTUURADRES',
  attention: 'T.a.v.',
  orderDate: 'Orderdatum',
  returnDate: 'Retourdatum',
  expectedDate: 'Verwachte levering',
  byLeadTime: '{date} (volgens uw gebruikelijke levertijd)',
  orderedBy: 'Besteld door',
  paymentTerms: 'Betalingstermijn',
  currency: 'Valuta',
  reference: 'Onze referentie',
  supplierReference: 'Uw referentie',
  accountNumber: 'Klantnummer',
  taxId: 'Btw-nummer',
  line: 'Nr.',
  supplierSku: 'Uw art.nr.',
  sku: 'Ons art.nr.',
  title: 'Omschrijving',
  packs: 'Verpakkingen',
  quantity: 'Aantal',
  reason: 'Reden',
  unitCost: 'Stukprijs',
  discount: 'Korting',
  tax: 'Btw',
  lineTotal: 'Bedrag',
  pieces: 'Totaal stuks',
  subtotal: 'Subtotaal',
  total: 'Totaal',
  toBeAgreed: 'nader te bepalen',
  plusLineToBeAgreed: '{amount} + 1 regel nader te bepalen',
  plusLinesToBeAgreed: '{amount} + {lines} regels nader te bepalen',
  notes: 'OPMERKINGEN',
  page: 'Pagina {page} van {pages}',
  pickList: 'Picklijst',
  pickFrom: 'Van',
  pickTo: 'Naar',
  bin: 'Locatie',
  barcode: 'Barcode',
  added: 'Toegevoegd',
  removed: 'Vervallen',
  changed: 'Gewijzigd',
  subjectOfOrder: 'Inkooporder {{poNumber}} van {{shopName}}',
  bodyOfOrder: `Beste {{contactName}},

In de bijlage vindt u onze inkooporder {{poNumber}} van {{orderedAt}}.

Onze referentie: {{reference}}
Regels: {{lineCount}}
Totaal: {{total}}
Verwachte levering: {{expectedAt}}
Afleveren bij: {{deliverTo}}

{{supplierNotes}}

Met vriendelijke groet

{{companyDetails}}`,
  subjectOfRevision: 'Revisie {{revision}} van inkooporder {{poNumber}} van {{shopName}}',
  bodyOfRevision: `Beste {{contactName}},

Wij hebben onze inkooporder {{poNumber}} gewijzigd. In de bijlage vindt u revisie {{revision}}, die het eerdere document vervangt.

{{changes}}

Onze referentie: {{reference}}
Nieuw totaal: {{total}}
Verwachte levering: {{expectedAt}}
Afleveren bij: {{deliverTo}}

{{supplierNotes}}

Met vriendelijke groet

{{companyDetails}}`,
}
