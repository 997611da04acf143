import { type Static, Type } from 'typebox'
import { type Operation, SCOPES } from './define.ts'
import { AT, USER_ID } from './examples.ts'
import { columns } from './exports.ts'
import { text, textOrNull, timestamp, timestampOrNull } from './fields.ts'
import {
  CodeRequest,
  EXPIRES_AT,
  KEY_CIDRS,
  KEY_ID,
  KEY_NAME,
  KEY_OVERLAP,
  KEY_SCOPES,
  LIST,
  NextCursor,
  oneOf,
  PERSONS_CODE,
  Page,
  search,
} from './parameters.ts'

export const API_KEY_STATUSES = ['active', 'expired', 'revoked'] as const

/** An API key without the key itself. */
export const ApiKey = Type.Object({
  id: text('Unique id.'),
  name: text('Its name.'),
  scopes: Type.Array(Type.Enum([...SCOPES]), {
    description: 'The operations that it is allowed to call.',
  }),
  allowedCidrs: Type.Array(Type.String(), {
    description: 'The networks from which it may be used; empty: from everywhere.',
  }),
  isDefault: Type.Boolean({
    description: 'Whether `PATCH /organisation/api-key` replaces it.',
  }),
  status: Type.Enum([...API_KEY_STATUSES], {
    description: 'Only an `active` key is accepted.',
  }),
  lastFour: text('Its last four characters.'),
  createdBy: textOrNull('The user who created it; null: an operator of the service.'),
  createdAt: timestamp('When it was created.'),
  lastUsedAt: timestampOrNull('When it was last used, to the minute or so; null: never.'),
  expiresAt: timestampOrNull('When it expires; null: never.'),
  revokedAt: timestampOrNull('When it was revoked; null: not revoked.'),
})
export type ApiKey = Static<typeof ApiKey>

const Created = Type.Object({
  apiKey: ApiKey,
  key: text('The key. It is shown only once: the service stores a hash of it.'),
})
const Changed = Type.Object({ apiKey: ApiKey })
const KeyPath = Type.Object({ id: KEY_ID })

export const ApiKeyRequest = Type.Object({
  name: KEY_NAME,
  scopes: KEY_SCOPES,
  allowedCidrs: Type.Optional(KEY_CIDRS),
  expiresAt: EXPIRES_AT,
  totpCode: PERSONS_CODE,
})
export const ApiKeyChange = Type.Object({
  name: Type.Optional(KEY_NAME),
  scopes: Type.Optional(KEY_SCOPES),
  allowedCidrs: Type.Optional(KEY_CIDRS),
  expiresAt: EXPIRES_AT,
  totpCode: PERSONS_CODE,
})
export const ApiKeyRotation = Type.Object({
  overlapSeconds: KEY_OVERLAP,
  expiresAt: EXPIRES_AT,
  totpCode: PERSONS_CODE,
})

const KEY: ApiKey = {
  id: '019ab4ee-3333-7000-8000-000000000003',
  name: 'Accounting',
  scopes: ['read'],
  allowedCidrs: ['203.0.113.0/24'],
  isDefault: false,
  status: 'active',
  lastFour: '_xyz',
  createdBy: USER_ID,
  createdAt: AT,
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
}
const { id } = KEY
const SECRET = `slk_${'Ab3_'.repeat(10)}xyz`
const BY_ADMINS = 'Only admins, with a one-time code; never an API key.'

export const API_KEY_OPERATIONS = {
  getApiKeys: {
    method: 'GET',
    path: '/api-keys',
    tag: 'API keys',
    summary: 'Lists API keys, newest first',
    description: `Also revoked and expired keys, without the keys themselves. Only admins. ${LIST}`,
    credential: 'bearer',
    permission: 'manageApiKeys',
    query: Type.Object({
      q: search(
        'Only keys whose `name` contains this text, in any case, or with this `lastFour` or `id`.',
      ),
      scope: oneOf(SCOPES, 'Only keys with this scope.'),
      status: oneOf(API_KEY_STATUSES, 'Only keys in this status.'),
      ...Page,
    }),
    responses: { 200: Type.Object({ apiKeys: Type.Array(ApiKey), nextCursor: NextCursor }) },
    export: {
      name: 'api-keys',
      columns: [
        ...columns('id', 'name', 'lastFour', 'status', 'scopes', 'allowedCidrs', 'isDefault'),
        ...columns('createdBy', 'createdAt', 'lastUsedAt', 'expiresAt', 'revokedAt'),
      ],
    },
    errors: [],
    example: {
      query: { scope: 'read', status: 'active', limit: 50 },
      answers: { 200: { apiKeys: [KEY], nextCursor: null } },
    },
  },
  postApiKey: {
    method: 'POST',
    path: '/api-keys',
    tag: 'API keys',
    summary: 'Creates an API key with scopes',
    description:
      'The key is shown only once. At most 100 keys of an organization are active. ' + BY_ADMINS,
    credential: 'bearer',
    permission: 'manageApiKeys',
    body: ApiKeyRequest,
    code: 'required',
    responses: { 201: Created },
    errors: ['INVALID_TOTP'],
    example: {
      body: {
        name: KEY.name,
        scopes: KEY.scopes,
        allowedCidrs: KEY.allowedCidrs,
        totpCode: '492039',
      },
      answers: { 201: { apiKey: KEY, key: SECRET } },
    },
  },
  patchApiKeyTerms: {
    method: 'PATCH',
    path: '/api-keys/:id',
    tag: 'API keys',
    summary: 'Changes the name, scopes, networks or expiry of an API key',
    description:
      'Absent fields stay as they are. Requests with the key that are being processed are ' +
      `refused if they no longer comply. A revoked or expired key cannot be changed. ${BY_ADMINS}`,
    credential: 'bearer',
    permission: 'manageApiKeys',
    params: KeyPath,
    body: ApiKeyChange,
    code: 'required',
    responses: { 200: Changed },
    errors: ['INVALID_TOTP'],
    example: {
      params: { id },
      body: { scopes: ['read', 'deposits'], totpCode: '492039' },
      answers: { 200: { apiKey: { ...KEY, scopes: ['read', 'deposits'] } } },
    },
  },
  postApiKeyRotate: {
    method: 'POST',
    path: '/api-keys/:id/rotate',
    tag: 'API keys',
    summary: 'Replaces an API key by a new one with the same name, scopes and networks',
    description:
      'The new key is shown only once, and has a new id. The old key is refused at once, ' +
      'or after `overlapSeconds`. A revoked or expired key cannot be replaced. ' +
      BY_ADMINS,
    credential: 'bearer',
    permission: 'manageApiKeys',
    params: KeyPath,
    body: ApiKeyRotation,
    code: 'required',
    responses: { 201: Created },
    errors: ['INVALID_TOTP'],
    example: {
      params: { id },
      body: { overlapSeconds: 3600, totpCode: '492039' },
      answers: {
        201: { apiKey: { ...KEY, id: '019ab4ee-3333-7000-8000-000000000004' }, key: SECRET },
      },
    },
  },
  deleteApiKey: {
    method: 'DELETE',
    path: '/api-keys/:id',
    tag: 'API keys',
    summary: 'Revokes an API key at once',
    description: `Revoking it twice changes nothing. ${BY_ADMINS}`,
    credential: 'bearer',
    permission: 'manageApiKeys',
    params: KeyPath,
    body: CodeRequest,
    bodyMayBeMissing: true,
    code: 'required',
    responses: { 200: Changed },
    errors: ['INVALID_TOTP'],
    example: {
      params: { id },
      body: { totpCode: '492039' },
      answers: { 200: { apiKey: { ...KEY, status: 'revoked', revokedAt: AT } } },
    },
  },
} as const satisfies Record<string, Operation>
