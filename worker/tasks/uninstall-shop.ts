import { applyUninstalls } from '../../shared/domain/uninstall-news.ts'
import { jobs } from '../../shared/jobs.ts'
import { defineDeliveryTask } from '../delivery-task.ts'

/** Ends the installation of a shop that has uninstalled the app. */
export const uninstallShop = defineDeliveryTask(jobs.uninstallShop, applyUninstalls, { isEnding: true })
