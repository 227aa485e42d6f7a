import type { Db } from '../../../db/db.ts'
import type { Settings, SettingsPatch } from '../../../schemas/settings.ts'
import { storeSettings } from '../../records/shops/settings.ts'
import { changeCostPushes } from './request.ts'

/** Stores settings (`storeSettings`, with its errors). Another choice of the cost that is written back changes the costs that wait. */
export function updateSettings(db: Db, shopId: number, input: SettingsPatch): Promise<Settings> {
  return db.transaction(async (tx) => {
    const { before, settings } = await storeSettings(tx, shopId, input)
    if (settings.costWriteBack !== before.costWriteBack) {
      await changeCostPushes(tx, shopId, settings.costWriteBack === 'off')
    }
    return settings
  })
}
