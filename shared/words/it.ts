import type { Words } from './en.ts'

export const it: Words = {
  purchaseOrder: 'Ordine d’acquisto',
  returnNote: 'Nota di reso',
  revision: 'Revisione',
  draft: 'BOZZA',
  cancelled: 'ANNULLATO',
  supplier: 'FORNITORE',
  shipTo: 'INDIRIZZO DI CONSEGNA',
  billTo: 'INDIRIZZO DI FATTURAZIONE',
  attention: 'Alla c.a. di',
  orderDate: 'Data dell’ordine',
  returnDate: 'Data del reso',
  expectedDate: 'Consegna prevista',
  byLeadTime: '{date} (secondo i vostri tempi abituali)',
  orderedBy: 'Ordinato da',
  paymentTerms: 'Condizioni di pagamento',
  currency: 'Valuta',
  reference: 'Nostro riferimento',
  supplierReference: 'Vostro riferimento',
  accountNumber: 'Codice cliente',
  taxId: 'Partita IVA',
  line: 'N.',
  supplierSku: 'Vs. codice',
  sku: 'Ns. codice',
  title: 'Descrizione',
  packs: 'Confezioni',
  quantity: 'Quantità',
  reason: 'Motivo',
  unitCost: 'Prezzo unitario',
  discount: 'Sconto',
  tax: 'IVA',
  lineTotal: 'Importo',
  pieces: 'Totale pezzi',
  subtotal: 'Subtotale',
  total: 'Totale',
  toBeAgreed: 'da concordare',
  plusLineToBeAgreed: '{amount} + 1 riga da concordare',
  plusLinesToBeAgreed: '{amount} + {lines} righe da concordare',
  notes: 'NOTE',
  page: 'Pagina {page} di {pages}',
  pickList: 'Lista di prelievo',
  pickFrom: 'Da',
  pickTo: 'A',
  bin: 'Ubicazione',
  barcode: 'Codice a barre',
  added: 'Aggiunto',
  removed: 'Eliminato',
  changed: 'Modificato',
  subjectOfOrder: 'Ordine d’acquisto {{poNumber}} di {{shopName}}',
  bodyOfOrder: `Buongiorno {{contactName}},

in allegato trovate il nostro ordine d’acquisto {{poNumber}} del {{orderedAt}}.

Nostro riferimento: {{reference}}
Righe: {{lineCount}}
Totale: {{total}}
Consegna prevista: {{expectedAt}}
Consegna a: {{deliverTo}}

{{supplierNotes}}

Cordiali saluti

{{companyDetails}}`,
  subjectOfRevision: 'Revisione {{revision}} dell’ordine d’acquisto {{poNumber}} di {{shopName}}',
  bodyOfRevision: `Buongiorno {{contactName}},

abbiamo modificato il nostro ordine d’acquisto {{poNumber}}. In allegato trovate la revisione {{revision}}, che sostituisce il documento precedente.

{{changes}}

Nostro riferimento: {{reference}}
Nuovo totale: {{total}}
Consegna prevista: {{expectedAt}}
Consegna a: {{deliverTo}}

{{supplierNotes}}

Cordiali saluti

{{companyDetails}}`,
}
