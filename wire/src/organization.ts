import { type Static, Type } from 'typebox'
import type { EventDefinition, Operation } from './define.ts'
import { AT, ORG_ID, ORG_NAME, RECEIVER_URL, USER_ID } from './examples.ts'
import { count, permissions, text, timestamp } from './fields.ts'
import { CodeRequest, MIN_HUMANS, MIN_SIGNERS, PERSONS_CODE, WEBHOOK_URL } from './parameters.ts'

/** Section 2.7. */
export const Organization = Type.Object({
  id: text('Unique id.'),
  name: text('Its name.'),
  webhookUrl: text('The URL that receives events; empty if not set.'),
  webhookSigningSecret: text(
    'Signs deliveries (HMAC SHA-256). Complete for an API key with the scope `configure`, and ' +
      'for an admin who sends a one-time code in the header `x-totp-code`; otherwise its last ' +
      'four characters.',
  ),
  minWithdrawalSigners: count(
    'Approvals that a new withdrawal needs, including that of its initiator.',
  ),
  minHumanApprovals: count('Approvals that must come from people; an API key does not count.'),
  permissions: permissions(
    'The permissions of the caller: `read`, `issueAddresses`, `createWithdrawals` and more, the ' +
      'names of `details.required` of a 403. For an API key, limited by its scopes.',
  ),
  createdAt: timestamp('When it was created.'),
  updatedAt: timestamp('When it was last changed.'),
})
export type Organization = Static<typeof Organization>

/** Section 4.2. */
export const WebhookRequest = Type.Object({ webhookUrl: WEBHOOK_URL, totpCode: PERSONS_CODE })
export const MinSignersRequest = Type.Object({
  minWithdrawalSigners: MIN_SIGNERS,
  totpCode: PERSONS_CODE,
})
export const MinHumansRequest = Type.Object({
  minHumanApprovals: MIN_HUMANS,
  totpCode: PERSONS_CODE,
})
export const NewSigningSecret = Type.Object({
  webhookSigningSecret: text(
    'The new secret. For 24 hours `webhook-signature` also has a signature of the previous one.',
  ),
})

const ORG: Organization = {
  id: ORG_ID,
  name: ORG_NAME,
  webhookUrl: RECEIVER_URL,
  webhookSigningSecret: 'whsec_bG9uZyBlbm91Z2ggdG8gYmUgYSBzZWNyZXQgb2YgMzI=',
  minWithdrawalSigners: 1,
  minHumanApprovals: 0,
  permissions: ['read', 'issueAddresses', 'createWithdrawals', 'configure', 'sendEvents'],
  createdAt: AT,
  updatedAt: AT,
}

export const ORGANIZATION_OPERATIONS = {
  getOrganisation: {
    method: 'GET',
    path: '/organisation',
    tag: 'Organization',
    summary: 'Returns the organization with its settings',
    description:
      'The signing secret is complete for an API key with the scope `configure`, and for an ' +
      'admin who sends a one-time code in the header `x-totp-code`. Others see its last four ' +
      'characters.',
    credential: 'either',
    permission: 'read',
    code: 'optional',
    responses: { 200: Organization },
    errors: ['INVALID_TOTP'],
    example: { answers: { 200: ORG } },
  },
  patchWebhook: {
    method: 'PATCH',
    path: '/organisation/webhook',
    tag: 'Organization',
    summary: 'Sets the URL that receives events',
    description:
      'The URL must use HTTPS and resolve to a public address; `details.reason` says what is ' +
      'wrong with it. Pending deliveries go to the new URL. A person must send a one-time code.',
    credential: 'either',
    permission: 'configure',
    body: WebhookRequest,
    code: 'required',
    responses: { 200: Type.Object({}) },
    errors: ['INVALID_TOTP', 'INVALID_WEBHOOK_URL'],
    example: { body: { webhookUrl: ORG.webhookUrl }, answers: { 200: {} } },
  },
  patchSigningSecret: {
    method: 'PATCH',
    path: '/organisation/webhook/signing-secret',
    tag: 'Organization',
    summary: 'Replaces the secret that signs deliveries',
    description:
      '`x-webhook-signature` uses the new secret at once; `webhook-signature` carries signatures ' +
      'of both secrets for 24 hours. A person must send a one-time code.',
    credential: 'either',
    permission: 'configure',
    body: CodeRequest,
    bodyMayBeMissing: true,
    code: 'required',
    responses: { 200: NewSigningSecret },
    errors: ['INVALID_TOTP'],
    example: {
      body: { totpCode: '492039' },
      answers: { 200: { webhookSigningSecret: ORG.webhookSigningSecret } },
    },
  },
  patchMinWithdrawalSigners: {
    method: 'PATCH',
    path: '/organisation/min-withdrawal-signers',
    tag: 'Organization',
    summary: 'Sets how many approvals a new withdrawal needs',
    description:
      '1 to the number of users who may approve. Existing withdrawals keep the number that ' +
      'applied when they were created. A person must send a one-time code.',
    credential: 'either',
    permission: 'configure',
    body: MinSignersRequest,
    code: 'required',
    responses: { 200: Type.Object({}) },
    errors: ['INVALID_TOTP', 'INVALID_MIN_SIGNERS'],
    example: { body: { minWithdrawalSigners: 1 }, answers: { 200: {} } },
  },
  patchMinHumanApprovals: {
    method: 'PATCH',
    path: '/organisation/min-human-approvals',
    tag: 'Organization',
    summary: 'Sets how many approvals of a new withdrawal must come from people',
    description:
      '0 to the number of users who may approve; null for the default: 0 if one approval is ' +
      'enough, otherwise as many as are needed. Existing withdrawals keep their number. Only ' +
      'admins, with a one-time code; never an API key, which this setting limits.',
    credential: 'bearer',
    permission: 'configure',
    body: MinHumansRequest,
    code: 'required',
    responses: { 200: Type.Object({}) },
    errors: ['INVALID_TOTP', 'INVALID_MIN_SIGNERS'],
    example: { body: { minHumanApprovals: 1, totpCode: '492039' }, answers: { 200: {} } },
  },
} as const satisfies Record<string, Operation>

/** The settings whose change emits an event. */
export const CHANGED_SETTINGS = [
  'webhookUrl',
  'signingSecret',
  'minWithdrawalSigners',
  'minHumanApprovals',
] as const
export type ChangedSetting = (typeof CHANGED_SETTINGS)[number]

export const SettingsChangedEvent = Type.Object({
  setting: Type.Enum([...CHANGED_SETTINGS], { description: 'The setting.' }),
  previous: text(
    'The previous value: the origin of a URL, whose path may be a secret; empty for a secret, ' +
      'and for the default of `minHumanApprovals`.',
  ),
  current: text('The new value, written like the previous one.'),
  changedBy: text('Id of the user who changed it; an API key acts as its user. Empty: operator.'),
  credential: Type.Enum(['apiKey', 'bearer', 'commandLine'], {
    description: 'The credential: `commandLine` is an operator of the service.',
  }),
  at: timestamp('When it happened.'),
})
export type SettingsChangedEvent = Static<typeof SettingsChangedEvent>

export const ORGANIZATION_EVENTS = {
  'settings.changed': {
    description:
      'The webhook URL, the signing secret, the number of signers or of people who must approve ' +
      'was changed. A change of the URL is sent to the previous URL, so that its receiver learns ' +
      'of it. If neither your organization nor an operator of the service did this, rotate the ' +
      'API key.',
    payload: SettingsChangedEvent,
    example: {
      setting: 'webhookUrl',
      previous: 'https://example.com',
      current: 'https://hooks.example.com',
      changedBy: USER_ID,
      credential: 'bearer',
      at: AT,
    },
  },
} as const satisfies Record<string, EventDefinition>
