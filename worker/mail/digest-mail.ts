import type { Config } from '../../shared/config.ts'
import type { DigestMail } from '../../shared/domain/views/digest/mails.ts'
import { type Html, html } from '../../shared/html.ts'
import { platformAddress } from '../../shared/platform/addresses.ts'
import type { DigestContent, DigestSection, DigestSectionName } from '../../shared/schemas/digest.ts'
import { createUnsubscribeTokens } from '../../shared/unsubscribe-token.ts'
import type { Email } from './mailer.ts'

/** The mail of a digest, the same in every attempt. */
export type WriteDigestMail = (shopId: number, mail: DigestMail) => Email

/** Where the merchant acts, behind the address of the admin. */
const pages: Record<DigestSectionName, string> = {
  late_orders: '/purchase-orders?stage=overdue',
  due_drafts: '/purchase-orders?status=draft',
  to_order: '/reorder',
  low_stock: '/reorder',
  failed_mails: '/alerts?type=mail_failed',
  failed_stock_changes: '/stock/on-its-way',
}

type Links = { unsubscribe: string; settings: string; page: (name: DigestSectionName) => string }

export function createDigestWriter(config: Config): WriteDigestMail {
  const tokens = createUnsubscribeTokens(config)
  return (shopId, { recipient, reference, content, isTest, shopDomain }) => {
    const admin = platformAddress(config, 'PLATFORM_ADMIN_APP_URL', shopDomain)
    const token = tokens.sign({ shopId, recipient })
    const links: Links = {
      unsubscribe: `${config.APP_URL}/unsubscribe?${new URLSearchParams({ token })}`,
      settings: `${admin}/settings`,
      page: (name) => `${admin}${pages[name]}`,
    }
    const introduction = isTest ? introductionOf(content) : ''
    return {
      ...{ to: [recipient], cc: [], replyTo: '', reference, attachments: [] },
      subject: isTest ? `Test: ${content.subject}` : content.subject,
      text: toText(content, links, introduction),
      html: toHtml(content, links, introduction).html,
      // RFC 8058: the mail program unsubscribes by one POST, without a page
      headers: [
        { name: 'List-Unsubscribe', value: `<${links.unsubscribe}>` },
        { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
      ],
    }
  }
}

function introductionOf({ sections, isNew }: DigestMail['content']): string {
  const result =
    sections.length === 0
      ? 'Nothing needs attention now, so no digest would be sent.'
      : isNew
        ? 'Something is new, so this digest would be sent now:'
        : 'Nothing is new since the last digest, so no digest would be sent now. It would say:'
  return `This is a test of the daily digest. It does not replace the digest of the day. ${result}`
}

const moreOf = ({ total, lines }: DigestSection) =>
  total > lines.length ? `and ${total - lines.length} more` : ''
const why = 'You get this e-mail because your address is in the settings of Quartermaster.'

function toText({ sections }: DigestContent, links: Links, introduction: string): string {
  const parts = sections.map((section) => {
    const { name, title, total, lines } = section
    const rows = lines.map(({ text, isNew }) => `- ${isNew ? 'New: ' : ''}${text}`)
    return [`${title} (${total})`, ...rows, moreOf(section), links.page(name)].filter(Boolean).join('\n')
  })
  const foot = [why, `Settings: ${links.settings}`, `Unsubscribe: ${links.unsubscribe}`].join('\n')
  return [introduction, ...parts, foot].filter(Boolean).join('\n\n')
}

const toHtml = ({ sections }: DigestContent, links: Links, introduction: string): Html => html`<!doctype html>
<html lang="en"><body style="font-family: sans-serif; font-size: 15px; line-height: 1.5; color: #1f2933">
${introduction ? html`<p>${introduction}</p>\n` : ''}${sections.map((section) => sectionOf(section, links))}<p style="font-size: 13px; color: #5b6168">${why}
<a href="${links.settings}">Settings</a> · <a href="${links.unsubscribe}">Unsubscribe</a></p>
</body></html>`

const sectionOf = (section: DigestSection, links: Links): Html => html`<h2 style="font-size: 16px"><a
href="${links.page(section.name)}">${section.title}</a> (${section.total})</h2>
<ul>
${section.lines.map(({ text, isNew }) => html`<li dir="auto">${isNew ? html`<b>New:</b> ` : ''}${text}</li>\n`)}</ul>
${moreOf(section) ? html`<p>${moreOf(section)}</p>\n` : ''}`
