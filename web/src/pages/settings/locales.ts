import { locale as ownLocale } from '../../browser/host.ts'

/** The locales to choose from; the list adds the current one if it is another. */
const offered = [
  ...[
    'ar-AE',
    'cs-CZ',
    'da-DK',
    'de-AT',
    'de-CH',
    'de-DE',
    'el-GR',
    'en-AU',
    'en-CA',
    'en-GB',
    'en-IE',
    'en-IN',
  ],
  ...[
    'en-NZ',
    'en-US',
    'en-ZA',
    'es-ES',
    'es-MX',
    'fi-FI',
    'fr-BE',
    'fr-CA',
    'fr-CH',
    'fr-FR',
    'he-IL',
    'hi-IN',
  ],
  ...[
    'hu-HU',
    'it-IT',
    'ja-JP',
    'ko-KR',
    'nb-NO',
    'nl-BE',
    'nl-NL',
    'pl-PL',
    'pt-BR',
    'pt-PT',
    'ro-RO',
    'sv-SE',
  ],
  ...['th-TH', 'tr-TR', 'uk-UA', 'zh-CN', 'zh-TW'],
]

export function localeOptions(chosen: string) {
  const names = new Intl.DisplayNames(ownLocale, { type: 'language' })
  return [...new Set([chosen, ...offered])]
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((a, b) => a.label.localeCompare(b.label))
}

/** An example date and amount in the format of the documents. */
export function sampleOf(locale: string, currency: string, timeZone: string): string {
  try {
    const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }).format()
    return `${day}, ${new Intl.NumberFormat(locale, { style: 'currency', currency }).format(1234.5)}`
  } catch {
    return locale
  }
}
