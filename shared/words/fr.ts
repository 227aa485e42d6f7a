import type { Words } from './en.ts'

export const fr: Words = {
  purchaseOrder: 'Bon de commande',
  returnNote: 'Bon de retour',
  revision: 'Révision',
  draft: 'BROUILLON',
  cancelled: 'ANNULÉ',
  supplier: 'FOURNISSEUR',
  shipTo: 'ADRESSE DE LIVRAISON',
  billTo: 'ADRESSE DE FACTURATION',
  attention: 'À l’attention de',
  orderDate: 'Date de commande',
  returnDate: 'Date de retour',
  expectedDate: 'Livraison prévue',
  byLeadTime: '{date} (selon votre délai habituel)',
  orderedBy: 'Commandé par',
  paymentTerms: 'Conditions de paiement',
  currency: 'Devise',
  reference: 'Notre référence',
  supplierReference: 'Votre référence',
  accountNumber: 'N° de client',
  taxId: 'N° de TVA',
  line: 'N°',
  supplierSku: 'Votre réf.',
  sku: 'Notre réf.',
  title: 'Désignation',
  packs: 'Colis',
  quantity: 'Quantité',
  reason: 'Motif',
  unitCost: 'Prix unitaire',
  discount: 'Remise',
  tax: 'TVA',
  lineTotal: 'Montant',
  pieces: 'Total des pièces',
  subtotal: 'Sous-total',
  total: 'Total',
  toBeAgreed: 'à convenir',
  plusLineToBeAgreed: '{amount} + 1 ligne à convenir',
  plusLinesToBeAgreed: '{amount} + {lines} lignes à convenir',
  notes: 'REMARQUES',
  page: 'Page {page} sur {pages}',
  pickList: 'Liste de prélèvement',
  pickFrom: 'De',
  pickTo: 'Vers',
  bin: 'Emplacement',
  barcode: 'Code-barres',
  added: 'Ajouté',
  removed: 'Supprimé',
  changed: 'Modifié',
  subjectOfOrder: 'Bon de commande {{poNumber}} de {{shopName}}',
  bodyOfOrder: `Bonjour {{contactName}},

Veuillez trouver ci-joint notre bon de commande {{poNumber}} du {{orderedAt}}.

Notre référence : {{reference}}
Lignes : {{lineCount}}
Total : {{total}}
Livraison prévue : {{expectedAt}}
Livraison à : {{deliverTo}}

{{supplierNotes}}

Cordialement

{{companyDetails}}`,
  subjectOfRevision: 'Révision {{revision}} du bon de commande {{poNumber}} de {{shopName}}',
  bodyOfRevision: `Bonjour {{contactName}},

Nous avons modifié notre bon de commande {{poNumber}}. Veuillez trouver ci-joint la révision {{revision}}, qui remplace le document précédent.

{{changes}}

Notre référence : {{reference}}
Nouveau total : {{total}}
Livraison prévue : {{expectedAt}}
Livraison à : {{deliverTo}}

{{supplierNotes}}

Cordialement

{{companyDetails}}`,
}
