import type { OVERSIGHT_OPERATIONS } from '@sluice/wire'
import { readAlert } from '../../alerts/read-alert.ts'
import { acknowledgeAlert } from '../../audit-log/acknowledge-alert.ts'
import { formatHead } from '../../audit-log/audit-head.ts'
import { verifyOwnAudit } from '../../audit-log/verify-own.ts'
import { forCaller } from '../http/for-caller.ts'
import type { Handlers } from '../http/route.ts'
import { answerAlerts, answerAuditLog, viewAlert } from '../views/oversight-lists.ts'

export const oversightRoutes: Handlers<keyof typeof OVERSIGHT_OPERATIONS> = {
  getAlerts: answerAlerts,

  getAlert: async ({ database, caller: { orgId }, params: { id } }) => {
    const alert = await database.forOrg(orgId, (tx) => readAlert(tx, { orgId, id }))
    return { alert: viewAlert(alert) }
  },

  postAlertAcknowledge: async (call) => {
    const { orgId, userId } = call.caller
    const { id } = call.params
    const alert = await forCaller(call, (tx) => acknowledgeAlert(tx, { orgId, id, userId }))
    return { alert: viewAlert(alert) }
  },

  getAuditLog: answerAuditLog,

  getAuditLogVerification: async ({ database, caller: { orgId } }) => {
    const { verified, checked, waiting, head } = await verifyOwnAudit(database, orgId)
    return { verification: { verified, checked, waiting, head: formatHead(head) } }
  },
}
