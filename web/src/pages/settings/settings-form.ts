import type { AlertConfiguration } from '../../../../shared/schemas/alerts.ts'
import type { Settings, SettingsPatch } from '../../../../shared/schemas/settings.ts'

/** What can be changed; the currency is what the platform says. */
export type SettingsForm = Omit<Settings, 'currency'>

export const formOf = ({ currency: _currency, ...settings }: Settings): SettingsForm => settings

/** What differs from before: what was not touched is not sent, so that it goes on following the platform. */
export const patchOf = (form: SettingsForm, before: SettingsForm): SettingsPatch =>
  Object.fromEntries(
    Object.entries(form).filter(([name, value]) => value !== before[name as keyof SettingsForm]),
  )

/** A number field is a text while somebody types in it. */
export type AlertForm = Omit<AlertConfiguration, 'alertThresholdPercent'> & {
  alertThresholdPercent: number | string
}

export const configurationOf = ({ alertThresholdPercent, ...switches }: AlertForm): AlertConfiguration => ({
  ...switches,
  alertThresholdPercent: Number(alertThresholdPercent),
})
