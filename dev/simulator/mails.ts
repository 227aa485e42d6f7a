import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Address } from './addresses.ts'

export type Attachment = { Name: string; Content: string; ContentType: string; ContentID?: string }

export type Mail = {
  MessageID: string
  ReceivedAt: string
  From: Address
  To: Address[]
  Cc: Address[]
  Bcc: Address[]
  ReplyTo: string
  Subject: string
  TextBody: string
  HtmlBody: string
  Tag: string
  Metadata: Record<string, string>
  MessageStream: string
  Headers: { Name: string; Value: string }[]
  /** `Content` is base64. */
  Attachments: Attachment[]
}

export type Mails = {
  add: (mail: Mail) => Promise<void>
  all: () => readonly Mail[]
  find: (id: string) => Mail | undefined
}

/** Writes to another name, flushes and renames, so that a file is always complete. In memory without `folder`. */
export async function openMails(folder?: string): Promise<Mails> {
  const stored = new Map<string, Mail>()
  if (folder) {
    await mkdir(folder, { recursive: true })
    for (const mail of await readMails(folder)) stored.set(mail.MessageID, mail)
  }
  return {
    async add(mail) {
      if (folder) await writeMail(folder, mail)
      stored.set(mail.MessageID, mail)
    },
    all: () => [...stored.values()],
    find: (id) => stored.get(id),
  }
}

async function writeMail(folder: string, mail: Mail): Promise<void> {
  const path = join(folder, `${mail.MessageID}.json`)
  const file = await open(`${path}.part`, 'w')
  try {
    await file.writeFile(JSON.stringify(mail))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.part`, path)
}

async function readMails(folder: string): Promise<Mail[]> {
  const names = await readdir(folder)
  await Promise.all(
    names.filter((name) => name.endsWith('.part')).map((name) => rm(join(folder, name), { force: true })),
  )
  const mails: Mail[] = []
  for (const name of names.filter((candidate) => candidate.endsWith('.json')))
    mails.push(JSON.parse(await readFile(join(folder, name), 'utf8')))
  return mails.sort((a, b) => a.ReceivedAt.localeCompare(b.ReceivedAt))
}
