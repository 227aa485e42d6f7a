import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { conflict, type Fault, unprocessable } from '../../../errors.ts'
import { defaultTemplate, writeMail } from '../../../mail/order-words.ts'
import { placeholderFault } from '../../../mail/template.ts'
import { Timestamp } from '../../../schemas/common.ts'
import {
  MailKind,
  type MailTemplate,
  type MailTemplateInput,
  type MailTemplateSample,
  type MailTemplateText,
  mailPlaceholders,
} from '../../../schemas/mail-templates.ts'
import { chooseLanguage, wordsOf } from '../../../words/words.ts'
import { getSettings } from '../shops/settings.ts'
import { sampleChanges, sampleOrder } from './sample-order.ts'

const Stored = Type.Object({
  kind: MailKind,
  subject: Type.String(),
  body: Type.String(),
  version: Type.Integer(),
  updatedAt: Timestamp,
})

const kinds: readonly MailKind[] = ['purchase_order', 'revision']

/** A template of each kind: the shop's own, else the standard text in the language of the shop. */
export async function listMailTemplates(db: Db, shopId: number): Promise<MailTemplate[]> {
  const stored = await db.any(sql.type(row(Stored))`
    select kind, subject, body, version, updated_at from mail_template where shop_id = ${shopId}
  `)
  const { locale } = await getSettings(db, shopId)
  const words = wordsOf(chooseLanguage({ language: null, country: null }, locale).language)
  return kinds.map((kind) => {
    const own = stored.find((template) => template.kind === kind)
    const text = own ?? { ...defaultTemplate(words, kind), version: 0, updatedAt: null }
    return { ...text, kind, isOwn: own !== undefined, placeholders: [...mailPlaceholders[kind]] }
  })
}

/**
 * Stores the shop's own words of a kind of mail. A `version` of 0 expects none to be stored. Throws
 * unknown_placeholder, stale_version.
 */
export async function saveMailTemplate(
  db: Db,
  shopId: number,
  kind: MailKind,
  { subject, body, version }: MailTemplateInput,
): Promise<MailTemplate> {
  requireKnownPlaceholders(kind, { subject, body })
  const stored = await db.maybeOne(sql.type(row(Stored))`
    insert into mail_template as t (shop_id, kind, subject, body, updated_at)
    select ${shopId}, ${kind}, ${subject}, ${body}, now()
    where ${version ?? 0}::int = 0
      or exists (select from mail_template where shop_id = ${shopId} and kind = ${kind})
    on conflict (shop_id, kind) do update
    set subject = excluded.subject, body = excluded.body, version = t.version + 1, updated_at = excluded.updated_at
    where ${version === undefined} or t.version = ${version ?? 0}::int
    returning kind, subject, body, version, updated_at
  `)
  if (!stored) {
    throw conflict('Another user has changed this template. Reload it and try again.', 'stale_version')
  }
  return { ...stored, isOwn: true, placeholders: [...mailPlaceholders[kind]] }
}

/** Restores the standard text. */
export async function resetMailTemplate(
  db: Db,
  shopId: number,
  kind: MailKind,
): Promise<{ message: string }> {
  await db.query(sql.typeAlias('void')`
    delete from mail_template where shop_id = ${shopId} and kind = ${kind}
  `)
  return { message: 'E-mails of this kind use the standard text again.' }
}

/** Subject and text of a template for an example order, in the language and the formats of the shop. Throws unknown_placeholder. */
export async function sampleMailTemplate(
  db: Db,
  shopId: number,
  kind: MailKind,
  template: MailTemplateText,
): Promise<MailTemplateSample> {
  requireKnownPlaceholders(kind, template)
  return writeMail(sampleOrder(await getSettings(db, shopId)), kind, { template, changes: sampleChanges })
}

function requireKnownPlaceholders(kind: MailKind, template: MailTemplateText): void {
  const faults = (['subject', 'body'] as const).flatMap((field): Fault[] => {
    const message = placeholderFault(template[field], mailPlaceholders[kind])
    return message ? [{ path: `/${field}`, message }] : []
  })
  if (faults.length === 0) return
  throw unprocessable('unknown_placeholder', `The template ${faults[0]?.message}.`, faults)
}
