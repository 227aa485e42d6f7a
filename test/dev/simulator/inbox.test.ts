import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startPlatform } from '../../../dev/simulator/server.ts'
import { clientOf, keys, mail, pdf, startSimulator } from './simulator.ts'

const get = async (url: string) => {
  const response = await fetch(url)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

t.test('an empty inbox explains how to send a mail', async (t) => {
  const { platform } = await startSimulator(t)
  const { status, text, headers } = await get(`${platform.url}/inbox`)
  t.equal(status, 200)
  t.match(text, /No mail yet/)
  const policy = headers.get('content-security-policy') ?? ''
  t.match(policy, "default-src 'none'")
  t.notMatch(policy, 'script-src')
})

t.test('the start page links to all pages', async (t) => {
  const { platform } = await startSimulator(t)
  const { text } = await get(`${platform.url}/`)
  t.match(text, 'href="/inbox"')
  t.match(text, `${platform.url}/faults`)
  t.equal((await get(`${platform.url}/style.css`)).headers.get('content-type'), 'text/css; charset=utf-8')
})

t.test('mails are listed newest first and shown with their attachments', async (t) => {
  const { platform, client } = await startSimulator(t)
  await client.sendEmail({ ...mail, Subject: 'The first' })
  const { MessageID } = await client.sendEmail({ ...mail, Subject: '订单 PO-00002', Attachments: [pdf] })
  const list = (await get(`${platform.url}/inbox`)).text
  t.ok(list.indexOf('订单 PO-00002') < list.indexOf('The first'))

  const page = await get(`${platform.url}/inbox/${MessageID}`)
  for (const part of [
    mail.To,
    'Demo Shop &lt;shop@example.com&gt;',
    'reference: a-1',
    pdf.Name,
    mail.TextBody,
  ])
    t.match(page.text, part)

  const attachment = await get(`${platform.url}/inbox/${MessageID}/attachments/1`)
  t.equal(attachment.text, '%PDF-1.4 nothing in it')
  t.equal(attachment.headers.get('content-type'), 'application/pdf')
  t.equal(attachment.headers.get('content-disposition'), "inline; filename*=UTF-8''PO-00001.pdf")
  t.equal(attachment.headers.get('x-content-type-options'), 'nosniff')
})

t.test('missing mails and attachments return 404', async (t) => {
  const { platform, client } = await startSimulator(t)
  const { MessageID } = await client.sendEmail(mail)
  t.equal((await get(`${platform.url}/inbox/nothing`)).status, 404)
  t.equal((await get(`${platform.url}/inbox/${MessageID}/attachments/1`)).status, 404)
})

t.test('the pages escape the content of mails', async (t) => {
  const { platform, client } = await startSimulator(t)
  const evil = `"'><script>alert(1)</script>`
  const { MessageID } = await client.sendEmail({
    ...mail,
    To: `"\\"><script>" <orders@example.org>`,
    Subject: evil,
    TextBody: evil,
    HtmlBody: evil,
    Tag: evil,
    Metadata: { '<script>': evil },
    Headers: [{ Name: '<script>', Value: evil }],
    Attachments: [{ ...pdf, Name: `${evil}\r\nx: y`, ContentType: 'text/html' }],
  })
  for (const path of ['/inbox', `/inbox/${MessageID}`]) {
    const { text } = await get(platform.url + path)
    t.notMatch(text, '<script')
    t.match(text, '&lt;script&gt;')
  }
  const page = (await get(`${platform.url}/inbox/${MessageID}`)).text
  t.match(page, 'sandbox title="The mail as HTML" srcdoc="&quot;&#39;&gt;&lt;script')

  const { headers } = await get(`${platform.url}/inbox/${MessageID}/attachments/1`)
  t.equal(headers.get('content-type'), 'application/octet-stream')
  t.match(headers.get('content-disposition'), /^attachment; filename\*=UTF-8''%22%27%3E/)
  t.equal(headers.get('x'), null)
})

t.test('a long inbox is paginated', async (t) => {
  const { platform, client } = await startSimulator(t)
  for (let number = 1; number <= 101; number += 1)
    await client.sendEmail({ ...mail, Subject: `No ${number};` })
  const first = (await get(`${platform.url}/inbox`)).text
  t.notMatch(first, 'No 1;')
  t.match(first, 'href="/inbox?page=2"')
  t.match((await get(`${platform.url}/inbox?page=2`)).text, 'No 1;')
})

t.test('stored mails survive a restart once each, and incomplete files are removed', async (t) => {
  const mailFolder = t.testdir()
  const before = await startPlatform({ ...keys, mailFolder })
  const { MessageID } = await clientOf(before, keys.serverToken).sendEmail({ ...mail, Attachments: [pdf] })
  await clientOf(before, keys.serverToken).sendEmail({ ...mail, Subject: 'The second' })
  await before.close()
  writeFileSync(join(mailFolder, 'cut-short.json.part'), '{"MessageID":"')

  const { platform } = await startSimulator(t, { mailFolder })
  t.match(platform.mails(), [{ MessageID, Attachments: [pdf] }, { Subject: 'The second' }])
  t.equal(platform.mails().length, 2)
  t.equal(readdirSync(mailFolder).length, 2)
})
