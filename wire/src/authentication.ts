import { Type } from 'typebox'
import type { Operation } from './define.ts'
import { ORG_ID, ORG_NAME, USER_ID } from './examples.ts'
import { count, permissions, text } from './fields.ts'
import { CodeRequest, LOGIN_CODE, PASSWORD, USERNAME } from './parameters.ts'

/** Section 4.1. */
export const LoginRequest = Type.Object({
  username: USERNAME,
  password: PASSWORD,
  totpCode: LOGIN_CODE,
})
export const AccessToken = Type.Object({
  accessToken: text('A JWT: the bearer token of the session.'),
  expiresIn: count('Lifetime in seconds.'),
  mustEnrolTotp: Type.Optional(
    Type.Boolean({
      description:
        'True after a recovery code, otherwise absent: the session can only enrol a new TOTP ' +
        'secret (`POST /auth/totp`).',
    }),
  ),
  recoveryCodesLeft: Type.Optional(count('Unused recovery codes, after a recovery code.')),
})
export const NewApiKey = Type.Object({
  apiKey: text('The new key. It is shown only once: the service stores a hash of it.'),
})

/** Section 2.9, with the role that grants the permissions (decisions, section 5). */
export const Profile = Type.Object({
  id: text('Unique id.'),
  username: text('The name that the person signs in with.'),
  role: text('`viewer`, `operator`, `approver` or `admin`.'),
  permissions: permissions('What the person may do; the names of `details.required` of a 403.'),
  org: Type.Object({ id: text('The organization.'), name: text('Its name.') }),
})

export const AUTHENTICATION_OPERATIONS = {
  postLogin: {
    method: 'POST',
    path: '/auth/login',
    tag: 'Authentication',
    summary: 'Signs a person in with user name, password and a one-time code',
    description:
      'The access token is valid for `expiresIn` seconds. It ends earlier if the password, the ' +
      'two-factor secret or the user changes. Ten failures in a row lock the name for 15 ' +
      'minutes. A recovery code instead of the one-time code works once, and begins a session ' +
      'that can only enrol a new TOTP secret.',
    credential: 'none',
    permission: 'none',
    body: LoginRequest,
    responses: { 200: AccessToken },
    errors: ['UNAUTHORIZED', 'INVALID_TOTP', 'RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'],
    example: {
      body: { username: 'ann', password: 'correct horse battery staple', totpCode: '492039' },
      answers: {
        200: { accessToken: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIwMTlhIn0.c2ln', expiresIn: 3600 },
      },
    },
  },
  getProfile: {
    method: 'GET',
    path: '/auth/profile',
    tag: 'Authentication',
    summary: 'Returns the signed-in user',
    description: 'The user of the session, with the role that grants the permissions.',
    credential: 'bearer',
    permission: 'none',
    responses: { 200: Profile },
    errors: [],
    example: {
      answers: {
        200: {
          id: USER_ID,
          username: 'ann',
          role: 'admin',
          permissions: [
            'read',
            'issueAddresses',
            'createWithdrawals',
            'approveWithdrawals',
            'configure',
            'sendEvents',
            'rotateApiKey',
            'manageApiKeys',
          ],
          org: { id: ORG_ID, name: ORG_NAME },
        },
      },
    },
  },
  patchApiKey: {
    method: 'PATCH',
    path: '/organisation/api-key',
    tag: 'Authentication',
    summary: 'Replaces the default API key; the previous key is refused at once',
    description:
      'The new key is shown only once, and has every scope, no networks and no expiry. Requests ' +
      'with the previous key are refused; other keys stay valid. Requires a one-time code.',
    credential: 'bearer',
    permission: 'rotateApiKey',
    body: CodeRequest,
    bodyMayBeMissing: true,
    code: 'required',
    responses: { 200: NewApiKey },
    errors: ['INVALID_TOTP'],
    example: {
      body: { totpCode: '123456' },
      answers: { 200: { apiKey: `slk_${'Ab3_'.repeat(10)}xyz` } },
    },
  },
} as const satisfies Record<string, Operation>
