import t from 'tap'
import { chooseLanguage, wordsOf } from '../../../shared/words/words.ts'

t.test(
  'words are in the language of the supplier, numbers in that language with the region of the shop',
  (t) => {
    for (const [supplier, shop, language, locale] of [
      ['de', 'fr-CH', 'de-CH', 'de-CH'],
      ['de', 'de-AT', 'de-AT', 'de-AT'],
      ['pt-PT', 'en-US', 'pt-PT', 'pt-PT'],
      ['en', 'de-DE', 'en-DE', 'en-DE'],
      [null, 'nl-BE', 'nl-BE', 'nl-BE'],
      [null, 'he-IL', 'en', 'he-IL'],
      ['pl', 'he-IL', 'en', 'he-IL'],
      ['pl', 'it-IT', 'it-IT', 'it-IT'],
      ['not a tag!', 'fr-FR', 'fr-FR', 'fr-FR'],
      ['', 'nonsense_locale!', 'en', 'nonsense_locale!'],
      ['constructor', 'en-US', 'en-US', 'en-US'],
    ] as const) {
      t.strictSame(chooseLanguage(supplier, shop), { language, locale }, `${supplier} in ${shop}`)
    }
    t.equal(wordsOf('de-CH').purchaseOrder, 'Bestellung')
    t.equal(wordsOf('xx').purchaseOrder, 'Purchase order')
    t.equal(wordsOf(undefined).purchaseOrder, 'Purchase order', 'a document of an earlier release')
    t.end()
  },
)
