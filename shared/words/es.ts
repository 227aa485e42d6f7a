import type { Words } from './en.ts'

export const es: Words = {
  purchaseOrder: 'Orden de compra',
  returnNote: 'Nota de devolución',
  revision: 'Revisión',
  draft: 'BORRADOR',
  cancelled: 'CANCELADO',
  supplier: 'PROVEEDOR',
  shipTo: 'DIRECCIÓN DE ENTREGA',
  billTo: 'DIRECCIÓN DE FACTURACIÓN',
  attention: 'A la atención de',
  orderDate: 'Fecha de pedido',
  returnDate: 'Fecha de devolución',
  expectedDate: 'Entrega prevista',
  byLeadTime: '{date} (según su plazo habitual)',
  orderedBy: 'Pedido por',
  paymentTerms: 'Condiciones de pago',
  currency: 'Moneda',
  reference: 'Nuestra referencia',
  supplierReference: 'Su referencia',
  accountNumber: 'N.º de cliente',
  taxId: 'NIF/IVA',
  line: 'N.º',
  supplierSku: 'Su ref.',
  sku: 'Nuestra ref.',
  title: 'Descripción',
  packs: 'Bultos',
  quantity: 'Cantidad',
  reason: 'Motivo',
  unitCost: 'Precio unitario',
  discount: 'Descuento',
  tax: 'Impuesto',
  lineTotal: 'Importe',
  pieces: 'Total de piezas',
  subtotal: 'Subtotal',
  total: 'Total',
  toBeAgreed: 'a convenir',
  plusLineToBeAgreed: '{amount} + 1 línea a convenir',
  plusLinesToBeAgreed: '{amount} + {lines} líneas a convenir',
  notes: 'OBSERVACIONES',
  page: 'Página {page} de {pages}',
  pickList: 'Lista de preparación',
  pickFrom: 'Desde',
  pickTo: 'Hasta',
  bin: 'Ubicación',
  barcode: 'Código de barras',
  added: 'Añadido',
  removed: 'Eliminado',
  changed: 'Modificado',
  subjectOfOrder: 'Orden de compra {{poNumber}} de {{shopName}}',
  bodyOfOrder: `Hola, {{contactName}}:

Adjuntamos nuestro pedido {{poNumber}} del {{orderedAt}}.

Nuestra referencia: {{reference}}
Líneas: {{lineCount}}
Total: {{total}}
Entrega prevista: {{expectedAt}}
Entregar en: {{deliverTo}}

{{supplierNotes}}

Un saludo

{{companyDetails}}`,
  subjectOfRevision: 'Revisión {{revision}} de la orden de compra {{poNumber}} de {{shopName}}',
  bodyOfRevision: `Hola, {{contactName}}:

Hemos modificado nuestro pedido {{poNumber}}. Adjuntamos la revisión {{revision}}, que sustituye al documento anterior.

{{changes}}

Nuestra referencia: {{reference}}
Nuevo total: {{total}}
Entrega prevista: {{expectedAt}}
Entregar en: {{deliverTo}}

{{supplierNotes}}

Un saludo

{{companyDetails}}`,
}
