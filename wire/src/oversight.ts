import { type Static, Type } from 'typebox'
import type { Operation } from './define.ts'
import { AT, USER_ID } from './examples.ts'
import { columns } from './exports.ts'
import { count, text, textOrNull, timestamp, timestampOrNull } from './fields.ts'
import { ALERT_ID, LIST, NextCursor, Page, TimeFilter, codeFilter, search } from './parameters.ts'

/** A condition of the organization that a person must look at. */
export const Alert = Type.Object({
  id: text('Unique id.'),
  code: text('The kind, such as `gas.low`; each kind has a runbook.'),
  subject: text('The record that it is about: a deposit, withdrawal, address or chain.'),
  message: text('The cause and the action to take.'),
  times: count('How often it was raised while open.'),
  raisedAt: timestamp('When it was first raised.'),
  lastAt: timestamp('When it was last raised.'),
  resolvedAt: timestampOrNull('When its cause ended; null while it is open.'),
  acknowledgedAt: timestampOrNull('When a user acknowledged it; null before.'),
  acknowledgedBy: textOrNull('The user who acknowledged it; null before.'),
})
export type Alert = Static<typeof Alert>

/** An entry of the audit log. */
export const AuditEntry = Type.Object({
  id: Type.Integer({ minimum: 1, description: 'Its number; numbers of others lie between.' }),
  at: timestamp('When it was done.'),
  actor: text('The actor: `user:<id>`, `cli:<name>` for the operator, or a part of the service.'),
  action: text('The change: `<noun>.<verb>`, such as `api-key.rotate`.'),
  object: text('The id of the changed object.'),
  details: Type.Record(Type.String(), Type.Unknown(), {
    description: 'More about the change; the fields depend on the action.',
  }),
})
export type AuditEntry = Static<typeof AuditEntry>

/** Whether the entries of the organization are unchanged since they were sealed. */
export const AuditVerification = Type.Object({
  verified: Type.Boolean({
    description:
      'Whether the seals of the checked entries match, and the service finds the whole log intact.',
  }),
  checked: count(
    'Number of the newest entries that were compared with their seals; at most 10000.',
  ),
  waiting: count('Number of entries that are not sealed yet; sealing takes a few seconds.'),
  head: text('The last seal, as `<sequence>:<hash>`: keep it elsewhere to detect a rewritten log.'),
})
export type AuditVerification = Static<typeof AuditVerification>

const ALERT: Alert = {
  id: '019ab4f3-1111-7000-8000-000000000001',
  code: 'withdrawal.waiting',
  subject: '019ab4f0-7c1e-7d3a-9d0e-3f5a1c2b4d6e',
  message: 'The withdrawal waits for funds: the gas wallet holds too little.',
  times: 1,
  raisedAt: AT,
  lastAt: AT,
  resolvedAt: null,
  acknowledgedAt: null,
  acknowledgedBy: null,
}
const ENTRY: AuditEntry = {
  id: 812,
  at: AT,
  actor: `user:${USER_ID}`,
  action: 'api-key.rotate',
  object: '019ab4f3-2222-7000-8000-000000000002',
  details: {},
}

export const OVERSIGHT_OPERATIONS = {
  getAlerts: {
    method: 'GET',
    path: '/alerts',
    tag: 'Organization',
    summary: 'Lists alerts of the organization, newest first',
    description:
      'Alerts about deposits, withdrawals, wallets and settings of the organization. Alerts ' +
      `about chains and the installation are for the operator. ${LIST}`,
    credential: 'either',
    permission: 'read',
    query: Type.Object({
      open: Type.Optional(
        Type.Boolean({ description: 'Only open alerts, or only resolved ones; both by default.' }),
      ),
      code: codeFilter('Only alerts with this code.'),
      ...Page,
    }),
    responses: { 200: Type.Object({ alerts: Type.Array(Alert), nextCursor: NextCursor }) },
    export: {
      name: 'alerts',
      columns: [
        ...columns('id', 'raisedAt', 'code', 'subject', 'message', 'times', 'lastAt'),
        ...columns('resolvedAt', 'acknowledgedAt', 'acknowledgedBy'),
      ],
    },
    errors: [],
    example: {
      query: { open: true, limit: 50 },
      answers: { 200: { alerts: [ALERT], nextCursor: null } },
    },
  },
  getAlert: {
    method: 'GET',
    path: '/alerts/:id',
    tag: 'Organization',
    summary: 'Returns an alert of the organization',
    description: 'Open or resolved.',
    credential: 'either',
    permission: 'read',
    params: Type.Object({ id: ALERT_ID }),
    responses: { 200: Type.Object({ alert: Alert }) },
    errors: [],
    example: { params: { id: ALERT.id }, answers: { 200: { alert: ALERT } } },
  },
  postAlertAcknowledge: {
    method: 'POST',
    path: '/alerts/:id/acknowledge',
    tag: 'Organization',
    summary: 'Records that the caller has seen an alert',
    description:
      'The alert stays open until its cause ends. A second acknowledgement changes nothing.',
    credential: 'either',
    permission: 'acknowledgeAlerts',
    params: Type.Object({ id: ALERT_ID }),
    responses: { 200: Type.Object({ alert: Alert }) },
    errors: [],
    example: {
      params: { id: ALERT.id },
      answers: { 200: { alert: { ...ALERT, acknowledgedAt: AT, acknowledgedBy: USER_ID } } },
    },
  },
  getAuditLog: {
    method: 'GET',
    path: '/audit-log',
    tag: 'Organization',
    summary: 'Lists who changed what, newest first',
    description: `Entries of the organization. ${LIST}`,
    credential: 'either',
    permission: 'read',
    query: Type.Object({
      actor: search('Only entries of this `actor`, such as `user:<id>`.'),
      action: codeFilter('Only entries of this `action`.'),
      object: search('Only entries about this `object`.'),
      ...TimeFilter,
      ...Page,
    }),
    responses: { 200: Type.Object({ entries: Type.Array(AuditEntry), nextCursor: NextCursor }) },
    export: {
      name: 'audit-log',
      columns: columns('id', 'at', 'actor', 'action', 'object', 'details'),
    },
    errors: [],
    example: {
      query: { action: 'api-key.rotate', limit: 50 },
      answers: { 200: { entries: [ENTRY], nextCursor: null } },
    },
  },
  getAuditLogVerification: {
    method: 'GET',
    path: '/audit-log/verification',
    tag: 'Organization',
    summary: 'Compares the audit log with its seals',
    description:
      'Each entry is sealed with a hash that covers all entries before it. The newest entries of ' +
      'the organization are compared now; the service compares the whole log all the time.',
    credential: 'either',
    permission: 'read',
    responses: { 200: Type.Object({ verification: AuditVerification }) },
    errors: [],
    example: {
      answers: {
        200: {
          verification: {
            verified: true,
            checked: 812,
            waiting: 0,
            head: `4711:${'9f'.repeat(32)}`,
          },
        },
      },
    },
  },
} as const satisfies Record<string, Operation>
