import t from 'tap'
import { orderCsv } from '../../../shared/mail/order-csv.ts'
import { writeMail } from '../../../shared/mail/order-words.ts'
import { fillTemplate, placeholderFault } from '../../../shared/mail/template.ts'
import type { RevisionChange } from '../../../shared/schemas/purchase-orders.ts'
import { makeLine, makeOrder } from '../pdf/orders.ts'

t.test('a value is inserted once, also when it looks like a placeholder', (t) => {
  const values = new Map([
    ['name', '{{total}} $& {{name}}'],
    ['total', '5'],
  ])
  t.equal(fillTemplate('To {{name}}: {{ total }}', values), 'To {{total}} $& {{name}}: 5')
  t.end()
})

t.test('a line whose placeholders are all empty is left out', (t) => {
  const values = new Map([
    ['a', ''],
    ['b', 'x'],
  ])
  t.equal(fillTemplate('One\n\nA: {{a}}\n\nB: {{a}} {{b}}\r\n\r\nEnd', values), 'One\n\nB:  x\n\nEnd')
  t.end()
})

t.test('unknown placeholders and lone braces are faults', (t) => {
  const known = ['total']
  t.equal(placeholderFault('{{total}} {{ total }} { x }', known), undefined)
  t.match(placeholderFault('{{totl}}', known), /^has an unknown placeholder: {{totl}}; known are {{total}}$/)
  t.match(placeholderFault('{{a b}} {{}} {{constructor}}', known), /{{a b}}, {{}}, {{constructor}};/)
  for (const broken of ['{{total', 'total}}', '{{{{total}}}}'])
    t.type(placeholderFault(broken, known), 'string', broken)
  t.end()
})

t.test('the words of every language are complete, and their placeholders known', (t) => {
  const order = makeOrder({ reference: 'Spring', revision: 3, currency: 'EUR' })
  for (const [language, title, greeting] of [
    ['en', 'Purchase order PO-00012', 'Dear Jürgen Müller,'],
    ['de', 'Bestellung PO-00012', 'Guten Tag Jürgen Müller,'],
    ['fr', 'Bon de commande PO-00012', 'Bonjour Jürgen Müller,'],
    ['es-MX', 'Orden de compra PO-00012', 'Hola, Jürgen Müller:'],
    ['es-ES', 'Pedido de compra PO-00012', 'Hola, Jürgen Müller:'],
    ['it', 'Ordine d’acquisto PO-00012', 'Buongiorno Jürgen Müller,'],
    ['nl', 'Inkooporder PO-00012', 'Beste Jürgen Müller,'],
    ['pt-BR', 'Ordem de compra PO-00012', 'Olá, Jürgen Müller:'],
    ['pt-PT', 'Nota de encomenda PO-00012', 'Olá, Jürgen Müller:'],
  ] as const) {
    const mail = writeMail({ ...order, language, locale: language }, 'purchase_order', {})
    t.ok(mail.subject.startsWith(title), mail.subject)
    t.ok(mail.body.startsWith(greeting), language)
    const revision = writeMail({ ...order, language, locale: language }, 'revision', {})
    t.match(revision.subject, /3.* PO-00012/, language)
    for (const text of [mail.subject, mail.body, revision.subject, revision.body])
      t.notMatch(text, /[{}]/, language)
  }
  t.end()
})

t.test('a revision says what was added, removed and changed, in the language of the supplier', (t) => {
  const line = { lineItemId: 1, sku: 'MUG', supplierSku: 'AC-1', title: 'Mug' }
  const changes: RevisionChange[] = [
    { ...line, before: { quantity: 10, costPrice: 2 }, after: { quantity: 12, costPrice: 2.1 } },
    {
      ...line,
      supplierSku: '',
      before: { quantity: 1000, costPrice: 2 },
      after: { quantity: 2000, costPrice: 2 },
    },
    { ...line, before: null, after: { quantity: 5, costPrice: 1 } },
    { ...line, before: { quantity: 5, costPrice: 1 }, after: null },
  ]
  const order = makeOrder({ revision: 2, currency: 'EUR', language: 'de-DE', locale: 'de-DE' })
  const { subject, body } = writeMail(order, 'revision', { changes })
  t.equal(subject, 'Revision 2 der Bestellung PO-00012 von Northwind Outfitters')
  for (const row of [
    'Geändert: AC-1 / MUG Mug. Menge: 10 → 12. Einzelpreis: 2,00\u00a0€ → 2,10\u00a0€',
    'Geändert: MUG Mug. Menge: 1.000 → 2.000',
    'Neu: AC-1 / MUG Mug. Menge: 5. Einzelpreis: 1,00\u00a0€',
    'Entfällt: AC-1 / MUG Mug',
  ])
    t.ok(body.split('\n').includes(row), row)
  t.end()
})

t.test('a total says which lines it leaves out, and is no number when no price is known', (t) => {
  const agreed = makeLine()
  const open = makeLine({ costPrice: 0, lineTotal: 0, isCostToBeAgreed: true })
  const totalOf = (language: string, lines: (typeof open)[]) => {
    const order = makeOrder({ language, locale: language, currency: 'EUR', lines, total: 10 })
    const template = { subject: 'Order', body: '{{total}}' }
    return writeMail(order, 'purchase_order', { template }).body.replaceAll(/\s/g, ' ')
  }
  t.equal(totalOf('en', [agreed]), '€10.00')
  const order = makeOrder({ lines: [open, open] })
  t.match(writeMail(order, 'purchase_order', {}).body, /^Total: to be agreed$/m)
  t.match(writeMail(order, 'revision', {}).body, /^New total: to be agreed$/m)
  for (const [language, none, one, two] of [
    ['en', 'to be agreed', '€10.00 + 1 line to be agreed', '€10.00 + 2 lines to be agreed'],
    [
      'de',
      'nach Vereinbarung',
      '10,00 € + 1 Position nach Vereinbarung',
      '10,00 € + 2 Positionen nach Vereinbarung',
    ],
    ['es', 'a convenir', '10,00 € + 1 línea a convenir', '10,00 € + 2 líneas a convenir'],
    ['fr', 'à convenir', '10,00 € + 1 ligne à convenir', '10,00 € + 2 lignes à convenir'],
    ['it', 'da concordare', '10,00 € + 1 riga da concordare', '10,00 € + 2 righe da concordare'],
    ['nl', 'nader te bepalen', '€ 10,00 + 1 regel nader te bepalen', '€ 10,00 + 2 regels nader te bepalen'],
    ['pt', 'a combinar', '€ 10,00 + 1 linha a combinar', '€ 10,00 + 2 linhas a combinar'],
  ] as const) {
    t.equal(totalOf(language, [open]), none, language)
    t.equal(totalOf(language, [agreed, open]), one, language)
    t.equal(totalOf(language, [agreed, open, open]), two, language)
  }
  t.end()
})

t.test('no direction mark of a name reaches the subject or the lines of the text', (t) => {
  const marks = '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'
  const order = makeOrder({ supplierReference: `AB${marks}gnp.exe` })
  const shop = {
    ...{
      name: `\u202egnp.exe${marks}`,
      address: `Road${marks} 1\r\n\n\u202eTown`,
      phone: `+1${marks}\u00a02`,
    },
    email: 'a@shop.example',
  }
  const { subject, body } = writeMail({ ...order, shop }, 'purchase_order', {})
  t.match(subject, 'gnp.exe')
  t.ok(body.endsWith('\n\ngnp.exe\nRoad 1\nTown\n+1\u00a02\na@shop.example'), body)
  for (const text of [subject, body]) t.notMatch(text, new RegExp(`[${marks}]`))
  t.end()
})

t.test('the CSV has packs, pieces and the currency, and no formula', (t) => {
  const csv = orderCsv(
    makeOrder({
      currency: 'KWD',
      lines: [
        makeLine({
          ...{
            supplierSku: '=1+1',
            sku: '+A',
            title: 'Mug, "blue"',
            barcode: '@x',
            packSize: 6,
            quantity: 24,
          },
          ...{ costPrice: 1.2345, discountPercent: 7.5, taxRate: 19, lineTotal: 27.406 },
        }),
        makeLine({ sku: 'B', title: '-2', packSize: 12, quantity: 26, costPrice: 1, lineTotal: 26 }),
      ],
    }),
  )
  t.strictSame(csv.split('\n'), [
    '\ufeffline,supplierSku,sku,title,barcode,packs,packSize,quantity,costPrice,discountPercent,taxRate,lineTotal,currency',
    '1,\'=1+1,\'+A,"Mug, ""blue""",\'@x,4,6,24,1.2345,7.5,19,27.406,KWD',
    "2,,B,'-2,,,12,26,1,0,0,26,KWD",
    '',
  ])
  t.end()
})
