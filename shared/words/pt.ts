import type { Words } from './en.ts'

export const pt: Words = {
  purchaseOrder: 'Ordem de compra',
  returnNote: 'Nota de devolução',
  revision: 'Revisão',
  draft: 'RASCUNHO',
  cancelled: 'CANCELADO',
  supplier: 'FORNECEDOR',
  shipTo: 'ENDEREÇO DE ENTREGA',
  billTo: 'ENDEREÇO DE FATURAÇÃO',
  attention: 'A/C:',
  orderDate: 'Data do pedido',
  returnDate: 'Data da devolução',
  expectedDate: 'Entrega prevista',
  byLeadTime: '{date} (segundo o seu prazo habitual)',
  orderedBy: 'Pedido por',
  paymentTerms: 'Condições de pagamento',
  currency: 'Moeda',
  reference: 'Nossa referência',
  supplierReference: 'Sua referência',
  accountNumber: 'N.º de cliente',
  taxId: 'N.º fiscal',
  line: 'N.º',
  supplierSku: 'Seu código',
  sku: 'Nosso código',
  title: 'Descrição',
  packs: 'Embalagens',
  quantity: 'Quantidade',
  reason: 'Motivo',
  unitCost: 'Preço unitário',
  discount: 'Desconto',
  tax: 'Imposto',
  lineTotal: 'Valor',
  pieces: 'Total de peças',
  subtotal: 'Subtotal',
  total: 'Total',
  toBeAgreed: 'a combinar',
  plusLineToBeAgreed: '{amount} + 1 linha a combinar',
  plusLinesToBeAgreed: '{amount} + {lines} linhas a combinar',
  notes: 'OBSERVAÇÕES',
  page: 'Página {page} de {pages}',
  pickList: 'Lista de separação',
  pickFrom: 'De',
  pickTo: 'Para',
  bin: 'Posição',
  barcode: 'Código de barras',
  added: 'Adicionado',
  removed: 'Removido',
  changed: 'Alterado',
  subjectOfOrder: 'Ordem de compra {{poNumber}} de {{shopName}}',
  bodyOfOrder: `Olá, {{contactName}}:

Segue em anexo o nosso pedido {{poNumber}} de {{orderedAt}}.

Nossa referência: {{reference}}
Linhas: {{lineCount}}
Total: {{total}}
Entrega prevista: {{expectedAt}}
Entregar em: {{deliverTo}}

{{supplierNotes}}

Atenciosamente

{{companyDetails}}`,
  subjectOfRevision: 'Revisão {{revision}} da ordem de compra {{poNumber}} de {{shopName}}',
  bodyOfRevision: `Olá, {{contactName}}:

Alteramos o nosso pedido {{poNumber}}. Segue em anexo a revisão {{revision}}, que substitui o documento anterior.

{{changes}}

Nossa referência: {{reference}}
Novo total: {{total}}
Entrega prevista: {{expectedAt}}
Entregar em: {{deliverTo}}

{{supplierNotes}}

Atenciosamente

{{companyDetails}}`,
}
