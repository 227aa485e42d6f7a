import { de } from './de.ts'
import { en, type Words } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { nl } from './nl.ts'
import { pt } from './pt.ts'

export type { Words } from './en.ts'

const languages: Record<string, Words> = Object.assign(Object.create(null), { en, de, fr, es, it, nl, pt })

/** Trade terms that a region has of its own. */
const regional: Record<string, Partial<Words>> = {
  'es-ES': {
    purchaseOrder: 'Pedido de compra',
    subjectOfOrder: 'Pedido de compra {{poNumber}} de {{shopName}}',
    subjectOfRevision: 'Revisión {{revision}} del pedido de compra {{poNumber}} de {{shopName}}',
  },
  'pt-PT': {
    purchaseOrder: 'Nota de encomenda',
    orderDate: 'Data da encomenda',
    orderedBy: 'Encomendado por',
    subjectOfOrder: 'Nota de encomenda {{poNumber}} de {{shopName}}',
    subjectOfRevision: 'Revisão {{revision}} da nota de encomenda {{poNumber}} de {{shopName}}',
  },
  'es-MX': { taxId: 'RFC' },
  'pt-BR': { billTo: 'ENDEREÇO DE FATURAMENTO', taxId: 'CNPJ' },
}

/** The words of a language tag such as `de` or `pt-PT`; English for an unknown one, and for documents without a language. */
export function wordsOf(tag: string | undefined): Words {
  const { language, region } = parse(tag) ?? { language: 'en', region: undefined }
  return { ...(languages[language] ?? en), ...regional[`${language}-${region}`] }
}

/**
 * The language of the words, and the locale of numbers and dates, in documents for a supplier:
 *
 * 1. the supplier's language, if it is one of ours, with the first of these regions in which it is spoken: the region of its
 *    tag, the supplier's country, the region of the shop
 * 2. else the language of the shop's locale, if it is one of ours
 * 3. else English words, and numbers and dates of the shop's locale
 *
 * Examples: supplier `de` in Austria: `de-AT`. Supplier `de` without a country, shop `fr-CH`: `de-CH`; shop `en-US`: `de`.
 * Supplier `pl`, shop `he-IL`: English with the formats of `he-IL`.
 */
export function chooseLanguage(
  supplier: { language: string | null; country: string | null },
  shopLocale: string,
): { language: string; locale: string } {
  const own = parse(supplier.language ?? undefined)
  const shop = parse(shopLocale)
  if (own && own.language in languages) {
    const tags = [own.region, supplier.country, shop?.region].map((region) => `${own.language}-${region}`)
    const tag = tags.find(isKnownLocale) ?? own.language
    return { language: tag, locale: tag }
  }
  if (shop && shop.language in languages) return { language: shopLocale, locale: shopLocale }
  return { language: 'en', locale: shopLocale }
}

/** Whether `Intl` has formats of this language in this region, such as `de-CH`, and not only those of the language. */
const isKnownLocale = (tag: string): boolean => {
  const { language = '', region } = parse(tag) ?? {}
  return (
    region !== undefined && new Intl.NumberFormat(`${language}-${region}`).resolvedOptions().locale === tag
  )
}

function parse(tag: string | undefined): { language: string; region: string | undefined } | undefined {
  if (!tag) return undefined
  try {
    const { language, region } = new Intl.Locale(tag)
    return { language, region }
  } catch {
    return undefined
  }
}
