import { applyUninstalls } from '../../../shared/domain/webhooks/app-uninstalled.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineDeliveryTask } from '../../queue/delivery-task.ts'

/** Ends the installation of a shop that has uninstalled the app. */
export const uninstallShop = defineDeliveryTask(jobs.uninstallShop, applyUninstalls, { isEnding: true })
