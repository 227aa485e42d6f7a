import { Models } from 'postmark'
import t from 'tap'
import { clientOf, expectRefusal, mail, pdf, startSimulator } from './simulator.ts'

t.test('an accepted mail can be found', async (t) => {
  const { client, platform } = await startSimulator(t)
  const sent = await client.sendEmail({ ...mail, Cc: 'Zoë <zoe@example.com>', Attachments: [pdf] })
  t.match(sent, { To: mail.To, ErrorCode: 0, Message: 'OK', MessageID: /^[0-9a-f-]{36}$/, SubmittedAt: /Z$/ })

  t.match(await client.getOutboundMessages(), {
    TotalCount: 1,
    Messages: [
      {
        MessageID: sent.MessageID,
        From: mail.From,
        To: [{ Email: mail.To, Name: '' }],
        Cc: [{ Email: 'zoe@example.com', Name: 'Zoë' }],
        Bcc: [],
        Recipients: [mail.To, 'zoe@example.com'],
        Subject: mail.Subject,
        Attachments: [pdf.Name],
        Status: 'Sent',
        Metadata: mail.Metadata,
        MessageStream: 'outbound',
      },
    ],
  })
  t.match(await client.getOutboundMessageDetails(sent.MessageID), {
    MessageID: sent.MessageID,
    TextBody: mail.TextBody,
    MessageEvents: [{ Type: 'Delivered', Recipient: mail.To }],
  })
  t.match(platform.mails(), [{ MessageID: sent.MessageID, Attachments: [{ Content: pdf.Content }] }])
})

t.test('the search compares every metadata parameter exactly', async (t) => {
  const { client } = await startSimulator(t)
  await client.sendEmail({ ...mail, Metadata: { reference: 'a-1', shop: 'one' } })
  await client.sendEmail({ ...mail, Metadata: { reference: 'a-1', shop: 'two' } })
  await client.sendEmail({ ...mail, Metadata: { reference: 'a-12' } })
  await client.sendEmail({ ...mail, Metadata: {}, MessageStream: 'broadcast' })

  const count = async (filter: Record<string, string>) =>
    (
      await client.getOutboundMessages(
        Object.assign(new Models.OutboundMessagesFilteringParameters(), filter),
      )
    ).TotalCount
  t.equal(await count({ metadata_reference: 'a-1' }), 2)
  t.equal(await count({ metadata_reference: 'a-1', metadata_shop: 'two' }), 1)
  t.equal(await count({ metadata_reference: 'A-1' }), 0)
  t.equal(await count({ metadata_reference: 'a' }), 0)
  t.equal(await count({ metadata_Reference: 'a-1' }), 0)
  t.equal(await count({ metadata_unknown: '' }), 0)
  t.equal(await count({}), 3, 'the default stream is the transactional one')
  t.equal(await count({ messageStream: 'broadcast' }), 1)
  t.equal(await count({ recipient: 'ORDERS@example.org' }), 3)
  t.equal(await count({ recipient: 'else@example.org' }), 0)
  t.equal(await count({ fromEmail: 'shop@example.com', subject: 'po-00001' }), 3)
})

t.test('the search returns pages, newest first', async (t) => {
  const { client } = await startSimulator(t)
  for (const Subject of ['one', 'two', 'three']) await client.sendEmail({ ...mail, Subject })
  const page = await client.getOutboundMessages({ count: 2, offset: 1 })
  t.equal(page.TotalCount, 3)
  t.strictSame(
    page.Messages.map(({ Subject }) => Subject),
    ['two', 'one'],
  )
  await expectRefusal(t, client.getOutboundMessages({ count: 501, offset: 0 }), 422)
})

t.test('a wrong server token is refused', async (t) => {
  const { platform } = await startSimulator(t)
  const unauthorized = clientOf(platform, 'wrong')
  await t.rejects(unauthorized.sendEmail(mail), { code: 10, statusCode: 401 })
  await t.rejects(unauthorized.getOutboundMessages(), { code: 10, statusCode: 401 })
  t.equal((await fetch(`${platform.url}/email`, { method: 'POST' })).status, 401)
  t.equal(platform.mails().length, 0)
})

t.test('invalid mails are refused as Postmark does', async (t) => {
  const { client, platform } = await startSimulator(t)
  const invalid = {
    'no sender': { ...mail, From: '' },
    'sender without a domain': { ...mail, From: 'shop' },
    'two senders': { ...mail, From: 'a@example.com, b@example.com' },
    'name with a comma, not quoted': { ...mail, From: 'Shop, Inc. <shop@example.com>' },
    'no recipient': { ...mail, To: '' },
    'one invalid recipient of several': { ...mail, To: 'a@example.com, nobody' },
    'invalid reply address': { ...mail, ReplyTo: 'not an address' },
    'no subject': { ...mail, Subject: '' },
    'subject on two lines': { ...mail, Subject: 'a\r\nBcc: b@example.com' },
    'no body': { ...mail, TextBody: '' },
    'attachment that is not base64': { ...mail, Attachments: [{ ...pdf, Content: '***' }] },
    'a metadata name that is too long': { ...mail, Metadata: { [`x${'y'.repeat(20)}`]: '1' } },
    'a metadata value that is too long': { ...mail, Metadata: { a: 'y'.repeat(81) } },
  }
  for (const [name, email] of Object.entries(invalid))
    await t.rejects(client.sendEmail(email), { code: 300, statusCode: 422 }, name)

  for (const To of ['inactive@example.com', 'a@example.com, "B, C" <Bounced@example.com>'])
    await t.rejects(client.sendEmail({ ...mail, To }), { code: 406, statusCode: 422 })

  await t.resolves(client.sendEmail({ ...mail, From: '"Shop, Inc." <shop@example.com>' }))
  t.equal(platform.mails().length, 1)
})

t.test('the size limit is 10 MB in base64', async (t) => {
  const { client, platform } = await startSimulator(t)
  const megabytes = (size: number) => ({
    ...mail,
    Attachments: [{ ...pdf, Content: Buffer.alloc(size * 1024 * 768).toString('base64') }],
  })
  await t.resolves(client.sendEmail(megabytes(9)))
  await expectRefusal(t, client.sendEmail(megabytes(11)), 413)
  await expectRefusal(t, client.sendEmail({ ...mail, HtmlBody: 'x'.repeat(5 * 1024 * 1024 + 1) }), 413)
  t.equal(platform.mails().length, 1)
})
