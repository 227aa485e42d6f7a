import type { AlertConfiguration, AlertConfigurationPatch } from '../../../../shared/schemas/alerts.ts'
import type { Settings, SettingsPatch } from '../../../../shared/schemas/settings.ts'

type OfStock = 'countApprovalValue' | 'adjustmentReasons' | 'adjustmentReasonRequired'

/** The settings of the first form; the platform sets the currency, Home hides its first steps, and a logo is stored at once. */
export type SettingsForm = Omit<Settings, 'currency' | 'isSetupHidden' | 'logo' | 'paperInUse' | OfStock>

export const formOf = ({
  currency: _currency,
  isSetupHidden: _isSetupHidden,
  logo: _logo,
  paperInUse: _paperInUse,
  countApprovalValue: _value,
  adjustmentReasons: _reasons,
  adjustmentReasonRequired: _isRequired,
  ...settings
}: Settings): SettingsForm => settings

/** The reasons are a text with one on each line; the value of a number input is text while the user types. */
export type StockForm = {
  countApprovalValue: number | string
  adjustmentReasons: string
  adjustmentReasonRequired: boolean
}

export const stockFormOf = (settings: Settings): StockForm => ({
  countApprovalValue: settings.countApprovalValue ?? '',
  adjustmentReasons: settings.adjustmentReasons.join('\n'),
  adjustmentReasonRequired: settings.adjustmentReasonRequired,
})

export function stockPatchOf({
  countApprovalValue: value,
  adjustmentReasons: text,
  ...switches
}: Partial<StockForm>): Pick<SettingsPatch, OfStock> {
  const reasons = (text ?? '')
    .split('\n')
    .map((reason) => reason.trim())
    .filter(Boolean)
  return {
    ...switches,
    ...(value !== undefined && { countApprovalValue: value === '' ? null : Number(value) }),
    ...(text !== undefined && { adjustmentReasons: reasons.length === 0 ? null : reasons }),
  }
}

/** The changed fields: an untouched setting keeps following the platform, or the standard. */
export const changedFields = <T extends object>(form: T, before: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(form).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof T]),
    ),
  ) as Partial<T>

/** The value of a number input is text while the user types. */
export type AlertForm = Omit<AlertConfiguration, 'alertThresholdPercent'> & {
  alertThresholdPercent: number | string
}

export const alertPatchOf = ({
  alertThresholdPercent: percent,
  ...switches
}: Partial<AlertForm>): AlertConfigurationPatch => ({
  ...switches,
  ...(percent !== undefined && { alertThresholdPercent: Number(percent) }),
})
