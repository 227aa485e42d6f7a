import t from 'tap'
import { chooseLanguage, wordsOf } from '../../../shared/words/words.ts'

t.test(
  'words are in the language of the supplier, numbers in that language with a region where it is spoken',
  (t) => {
    for (const [supplier, country, shop, language, locale] of [
      ['de', null, 'fr-CH', 'de-CH', 'de-CH'],
      ['de', 'AT', 'fr-CH', 'de-AT', 'de-AT'],
      ['de', '', 'en-US', 'de', 'de'],
      ['de', 'CN', 'de-LI', 'de-LI', 'de-LI'],
      ['pt-PT', 'BR', 'en-US', 'pt-PT', 'pt-PT'],
      ['pt', 'PT', 'es-ES', 'pt-PT', 'pt-PT'],
      ['es', 'ES', 'en-GB', 'es-ES', 'es-ES'],
      ['en', null, 'de-DE', 'en-DE', 'en-DE'],
      [null, 'FR', 'nl-BE', 'nl-BE', 'nl-BE'],
      [null, null, 'he-IL', 'en', 'he-IL'],
      ['pl', 'PL', 'he-IL', 'en', 'he-IL'],
      ['pl', 'PL', 'it-IT', 'it-IT', 'it-IT'],
      ['not a tag!', null, 'fr-FR', 'fr-FR', 'fr-FR'],
      ['', null, 'nonsense_locale!', 'en', 'nonsense_locale!'],
      ['constructor', null, 'en-US', 'en-US', 'en-US'],
    ] as const) {
      const chosen = chooseLanguage({ language: supplier, country }, shop)
      t.strictSame(chosen, { language, locale }, `${supplier} in ${country} for ${shop}`)
    }
    t.equal(wordsOf('de-CH').purchaseOrder, 'Bestellung')
    t.equal(wordsOf('xx').purchaseOrder, 'Purchase order')
    t.equal(wordsOf(undefined).purchaseOrder, 'Purchase order', 'a document of an earlier release')
    t.end()
  },
)
