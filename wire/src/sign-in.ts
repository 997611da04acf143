import { Type } from 'typebox'
import { AccessToken } from './authentication.ts'
import type { Operation } from './define.ts'
import { AT, ORG_ID, ORG_NAME } from './examples.ts'
import { text, timestamp } from './fields.ts'
import {
  CodeRequest,
  INVITATION_TOKEN,
  LIST,
  NEW_PASSWORD,
  NextCursor,
  Page,
  PASSWORD,
  PERSONS_CODE,
  SESSION_ID,
  TOTP_CODE,
} from './parameters.ts'

const SESSION = '019ab4ee-4444-7000-8000-000000000004'
const TOKEN = `sli_${'Ab3_'.repeat(10)}xyz`
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const SCHEME = {
  totpSecret: SECRET,
  otpauthUrl: `otpauth://totp/Sluice:ann?issuer=Sluice&secret=${SECRET}`,
}
const CODES = Array.from({ length: 10 }, (_, at) => `ABCD-EFGH-IJKL-MNO${'ABCDEFGHIJ'.charAt(at)}`)

const Secrets = {
  totpSecret: text('The TOTP secret to enrol, in base32.'),
  otpauthUrl: text('The same as an authenticator app reads it from a QR code.'),
}
const RecoveryCodes = Type.Array(Type.String(), {
  description: 'Ten codes for sign-in without the authenticator. They are shown only once.',
})

export const Session = Type.Object({
  id: text('Unique id.'),
  current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
  address: text('The address of the client at sign-in; of IPv6 its /64.'),
  createdAt: timestamp('When the person signed in.'),
  expiresAt: timestamp('When it expires.'),
})

/** A person enrols, keeps the own credentials, and ends the own sessions. */
export const SIGN_IN_OPERATIONS = {
  postInvitation: {
    method: 'POST',
    path: '/auth/invitation',
    tag: 'Authentication',
    summary: 'Shows an invitation and the TOTP secret to enrol',
    description: 'Changes nothing and can be repeated. Limited for each address.',
    credential: 'none',
    permission: 'none',
    body: Type.Object({ token: INVITATION_TOKEN }),
    responses: {
      200: Type.Object({
        username: text('The name to sign in with.'),
        role: text('The role of the person.'),
        organization: Type.Object({ id: text('The organization.'), name: text('Its name.') }),
        expiresAt: timestamp('Until when the invitation can be accepted.'),
        ...Secrets,
      }),
    },
    errors: ['INVALID_INVITATION', 'RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'],
    example: {
      body: { token: TOKEN },
      answers: {
        200: {
          username: 'ann',
          role: 'approver',
          organization: { id: ORG_ID, name: ORG_NAME },
          expiresAt: AT,
          ...SCHEME,
        },
      },
    },
  },
  postInvitationAccept: {
    method: 'POST',
    path: '/auth/invitation/accept',
    tag: 'Authentication',
    summary: 'Accepts an invitation and signs the person in',
    description:
      'Sets the password and the TOTP secret of the invitation; `totpCode` is a code of that ' +
      'secret. The invitation works once.',
    credential: 'none',
    permission: 'none',
    body: Type.Object({ token: INVITATION_TOKEN, password: NEW_PASSWORD, totpCode: TOTP_CODE }),
    responses: {
      200: Type.Object({
        recoveryCodes: RecoveryCodes,
        accessToken: AccessToken.properties.accessToken,
        expiresIn: AccessToken.properties.expiresIn,
      }),
    },
    errors: ['INVALID_INVITATION', 'INVALID_TOTP', 'RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'],
    example: {
      body: { token: TOKEN, password: 'correct horse battery staple', totpCode: '492039' },
      answers: {
        200: {
          recoveryCodes: CODES,
          accessToken: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIwMTlhIn0.c2ln',
          expiresIn: 3600,
        },
      },
    },
  },
  patchPassword: {
    method: 'PATCH',
    path: '/auth/password',
    tag: 'Authentication',
    summary: 'Changes your own password',
    description: 'Ends your other sessions. Requires the current password and a one-time code.',
    credential: 'bearer',
    permission: 'none',
    body: Type.Object({
      currentPassword: PASSWORD,
      newPassword: NEW_PASSWORD,
      totpCode: PERSONS_CODE,
    }),
    code: 'required',
    responses: { 200: Type.Object({}) },
    errors: ['INVALID_TOTP', 'RATE_LIMIT_EXCEEDED'],
    example: {
      body: {
        currentPassword: 'correct horse battery staple',
        newPassword: 'an even longer passphrase',
        totpCode: '492039',
      },
      answers: { 200: {} },
    },
  },
  postTotp: {
    method: 'POST',
    path: '/auth/totp',
    tag: 'Authentication',
    summary: 'Offers a new TOTP secret for your authenticator',
    description:
      'The present secret remains until `POST /auth/totp/confirm`. Requires a one-time code of ' +
      'it, unless you signed in with a recovery code.',
    credential: 'bearer',
    permission: 'none',
    body: CodeRequest,
    bodyMayBeMissing: true,
    code: 'required',
    responses: { 200: Type.Object(Secrets) },
    errors: ['INVALID_TOTP', 'RATE_LIMIT_EXCEEDED'],
    example: { body: { totpCode: '492039' }, answers: { 200: SCHEME } },
  },
  postTotpConfirm: {
    method: 'POST',
    path: '/auth/totp/confirm',
    tag: 'Authentication',
    summary: 'Replaces your TOTP secret by the offered one',
    description:
      '`totpCode` is a code of the new secret. Ends your other sessions; a session of a recovery ' +
      'code ends too, so sign in again.',
    credential: 'bearer',
    permission: 'none',
    body: Type.Object({ totpCode: TOTP_CODE }),
    responses: { 200: Type.Object({}) },
    errors: ['INVALID_TOTP', 'RATE_LIMIT_EXCEEDED'],
    example: { body: { totpCode: '492039' }, answers: { 200: {} } },
  },
  postRecoveryCodes: {
    method: 'POST',
    path: '/auth/recovery-codes',
    tag: 'Authentication',
    summary: 'Replaces your recovery codes by ten new ones',
    description: 'The previous codes are refused at once. Requires a one-time code.',
    credential: 'bearer',
    permission: 'none',
    body: CodeRequest,
    bodyMayBeMissing: true,
    code: 'required',
    responses: { 200: Type.Object({ recoveryCodes: RecoveryCodes }) },
    errors: ['INVALID_TOTP', 'RATE_LIMIT_EXCEEDED'],
    example: { body: { totpCode: '492039' }, answers: { 200: { recoveryCodes: CODES } } },
  },
  getSessions: {
    method: 'GET',
    path: '/auth/sessions',
    tag: 'Authentication',
    summary: 'Lists your open sessions',
    description: LIST,
    credential: 'bearer',
    permission: 'none',
    query: Type.Object(Page),
    responses: { 200: Type.Object({ sessions: Type.Array(Session), nextCursor: NextCursor }) },
    errors: [],
    example: {
      query: { limit: 100 },
      answers: {
        200: {
          sessions: [
            {
              id: SESSION,
              current: true,
              address: '203.0.113.7',
              createdAt: AT,
              expiresAt: '2026-01-31T10:30:00.000Z',
            },
          ],
          nextCursor: null,
        },
      },
    },
  },
  deleteSession: {
    method: 'DELETE',
    path: '/auth/sessions/:id',
    tag: 'Authentication',
    summary: 'Ends one of your open sessions',
    description: 'Its access token is refused at once.',
    credential: 'bearer',
    permission: 'none',
    params: Type.Object({ id: SESSION_ID }),
    responses: { 200: Type.Object({}) },
    errors: ['NOT_FOUND'],
    example: { params: { id: SESSION }, answers: { 200: {} } },
  },
  postLogout: {
    method: 'POST',
    path: '/auth/logout',
    tag: 'Authentication',
    summary: 'Ends the session of this request',
    description: 'The access token is refused at once.',
    credential: 'bearer',
    permission: 'none',
    responses: { 200: Type.Object({}) },
    errors: [],
    example: { answers: { 200: {} } },
  },
} as const satisfies Record<string, Operation>
