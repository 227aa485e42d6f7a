import type { AlertConfiguration } from '../../../../shared/schemas/alerts.ts'
import type { Settings, SettingsPatch } from '../../../../shared/schemas/settings.ts'

/** The editable settings; the platform sets the currency. */
export type SettingsForm = Omit<Settings, 'currency'>

export const formOf = ({ currency: _currency, ...settings }: Settings): SettingsForm => settings

/** Sends only the changed fields: an untouched setting keeps following the platform. */
export const patchOf = (form: SettingsForm, before: SettingsForm): SettingsPatch =>
  Object.fromEntries(
    Object.entries(form).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof SettingsForm]),
    ),
  )

/** The value of a number input is text while the user types. */
export type AlertForm = Omit<AlertConfiguration, 'alertThresholdPercent'> & {
  alertThresholdPercent: number | string
}

export const configurationOf = ({ alertThresholdPercent, ...switches }: AlertForm): AlertConfiguration => ({
  ...switches,
  alertThresholdPercent: Number(alertThresholdPercent),
})
