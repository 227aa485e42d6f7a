import type { Words } from './en.ts'

export const de: Words = {
  purchaseOrder: 'Bestellung',
  returnNote: 'Rücklieferschein',
  revision: 'Revision',
  draft: 'ENTWURF',
  cancelled: 'STORNIERT',
  supplier: 'LIEFERANT',
  shipTo: 'LIEFERADRESSE',
  billTo: 'RECHNUNGSADRESSE',
  attention: 'z. Hd.',
  orderDate: 'Bestelldatum',
  returnDate: 'Datum der Rücksendung',
  expectedDate: 'Liefertermin',
  byLeadTime: '{date} (nach Ihrer üblichen Lieferzeit)',
  orderedBy: 'Besteller',
  paymentTerms: 'Zahlungsziel',
  currency: 'Währung',
  reference: 'Unser Zeichen',
  supplierReference: 'Ihr Zeichen',
  accountNumber: 'Kundennummer',
  taxId: 'USt-IdNr.',
  line: 'Pos.',
  supplierSku: 'Ihre Art.-Nr.',
  sku: 'Unsere Art.-Nr.',
  title: 'Bezeichnung',
  packs: 'Gebinde',
  quantity: 'Menge',
  reason: 'Grund',
  unitCost: 'Einzelpreis',
  discount: 'Rabatt',
  tax: 'MwSt.',
  lineTotal: 'Gesamtpreis',
  pieces: 'Stück gesamt',
  subtotal: 'Zwischensumme',
  total: 'Gesamtbetrag',
  toBeAgreed: 'nach Vereinbarung',
  plusLineToBeAgreed: '{amount} + 1 Position nach Vereinbarung',
  plusLinesToBeAgreed: '{amount} + {lines} Positionen nach Vereinbarung',
  notes: 'BEMERKUNGEN',
  page: 'Seite {page} von {pages}',
  pickList: 'Pickliste',
  pickFrom: 'Von',
  pickTo: 'Nach',
  bin: 'Lagerplatz',
  barcode: 'Barcode',
  added: 'Neu',
  removed: 'Entfällt',
  changed: 'Geändert',
  subjectOfOrder: 'Bestellung {{poNumber}} von {{shopName}}',
  bodyOfOrder: `Guten Tag {{contactName}},

anbei erhalten Sie unsere Bestellung {{poNumber}} vom {{orderedAt}}.

Unser Zeichen: {{reference}}
Positionen: {{lineCount}}
Gesamtbetrag: {{total}}
Liefertermin: {{expectedAt}}
Lieferung an: {{deliverTo}}

{{supplierNotes}}

Mit freundlichen Grüßen

{{companyDetails}}`,
  subjectOfRevision: 'Revision {{revision}} der Bestellung {{poNumber}} von {{shopName}}',
  bodyOfRevision: `Guten Tag {{contactName}},

wir haben unsere Bestellung {{poNumber}} geändert. Anbei erhalten Sie Revision {{revision}}, die das frühere Dokument ersetzt.

{{changes}}

Unser Zeichen: {{reference}}
Neuer Gesamtbetrag: {{total}}
Liefertermin: {{expectedAt}}
Lieferung an: {{deliverTo}}

{{supplierNotes}}

Mit freundlichen Grüßen

{{companyDetails}}`,
}
