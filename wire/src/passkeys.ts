import { type Static, Type } from 'typebox'
import type { Operation } from './define.ts'
import { AT } from './examples.ts'
import { count, text, textOrNull, timestamp, timestampOrNull } from './fields.ts'
import { CodeRequest, PASSKEY_ID, PASSKEY_NAME, PERSONS_CODE, WITHDRAWAL_ID } from './parameters.ts'

/** Far above what authenticators send, and below the limit of a body. */
const BINARY_LENGTH_MAX = 16_384

/** Bytes as WebAuthn writes them in JSON: base64url without padding. */
function bytes(description: string) {
  return Type.String({
    description: `${description} In base64url.`,
    pattern: '^[A-Za-z0-9_-]+$',
    maxLength: BINARY_LENGTH_MAX,
  })
}

const CREDENTIAL_ID = bytes('The id of the credential.')
const CLIENT = bytes('What the browser signed: type, challenge and origin.')

/** A passkey of a person, without its key. */
export const Passkey = Type.Object({
  id: text('Unique id.'),
  name: text('The name that the person chose.'),
  createdAt: timestamp('When it was added.'),
  lastUsedAt: timestampOrNull('When it last approved a withdrawal; null while never used.'),
})
export type Passkey = Static<typeof Passkey>

/** A credential in the options of a browser. */
export const PasskeyDescriptor = Type.Object({
  type: Type.Literal('public-key', { description: 'The only type of WebAuthn.' }),
  id: text('The id of the credential. In base64url.'),
})

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const PasskeyCreation = Type.Object({
  challenge: text('Signed by the authenticator; it works once, for ten minutes. In base64url.'),
  rp: Type.Object({
    id: text('The host name that the passkey is bound to.'),
    name: text('The name that the browser shows.'),
  }),
  user: Type.Object({
    id: text('The id of the person. In base64url.'),
    name: text('The name that the person signs in with.'),
    displayName: text('The same name.'),
  }),
  pubKeyCredParams: Type.Array(
    Type.Object({
      type: Type.Literal('public-key', { description: 'The only type of WebAuthn.' }),
      alg: Type.Integer({ description: 'An algorithm of COSE.' }),
    }),
    { description: 'The accepted algorithms, the preferred one first.' },
  ),
  timeout: count('How long the browser waits, in milliseconds.'),
  excludeCredentials: Type.Array(PasskeyDescriptor, {
    description: 'The passkeys that the person has already.',
  }),
  authenticatorSelection: Type.Object({
    residentKey: Type.Literal('preferred', { description: 'Stored by the authenticator.' }),
    userVerification: Type.Literal('required', {
      description: 'The authenticator checks a fingerprint, a face or a PIN.',
    }),
  }),
  attestation: Type.Literal('none', {
    description: 'The model of the authenticator is not asked.',
  }),
})

export type PasskeyCreation = Static<typeof PasskeyCreation>

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export const PasskeyRequest = Type.Object({
  challenge: text('The canonical hash of the withdrawal. In base64url.'),
  rpId: text('The host name that the passkeys are bound to.'),
  timeout: count('How long the browser waits, in milliseconds.'),
  userVerification: Type.Literal('required', {
    description: 'The authenticator checks a fingerprint, a face or a PIN.',
  }),
  allowCredentials: Type.Array(PasskeyDescriptor, {
    description: 'The passkeys of the person that have not approved this withdrawal before.',
  }),
})

export type PasskeyRequest = Static<typeof PasskeyRequest>

/** The part of `RegistrationResponseJSON` of WebAuthn that is verified. */
export const PasskeyCredential = Type.Object({
  id: CREDENTIAL_ID,
  response: Type.Object({
    clientDataJSON: CLIENT,
    attestationObject: bytes('The public key, with what the authenticator checked.'),
  }),
})
export type PasskeyCredential = Static<typeof PasskeyCredential>

/** The part of `AuthenticationResponseJSON` of WebAuthn that is verified. */
export const PasskeyAssertion = Type.Object({
  id: CREDENTIAL_ID,
  response: Type.Object({
    clientDataJSON: CLIENT,
    authenticatorData: bytes('What the authenticator checked, and its counter.'),
    signature: bytes('The signature of the passkey over both.'),
  }),
})
export type PasskeyAssertion = Static<typeof PasskeyAssertion>

const OnePasskey = Type.Object({ passkey: Passkey })
const PasskeyPath = Type.Object({ id: PASSKEY_ID })

const PHONE: Passkey = {
  id: '019ab4ee-5555-7000-8000-000000000005',
  name: 'Phone',
  createdAt: AT,
  lastUsedAt: null,
}
const HOST = 'sluice.example.com'
const CREDENTIAL = { type: 'public-key', id: 'kRmBc1a0QGm3zTjW8c2u5w' } as const
const CLIENT_DATA = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'
const DEVICE_DATA = 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ'
const VERIFIED = { userVerification: 'required' } as const
/** The id of the user of the examples, as bytes. */
const USER_HANDLE = 'MDE5YWI0ZWUtMjIyMi03MDAwLTgwMDAtMDAwMDAwMDAwMDAy'
const TIMEOUT_MS = 300_000

/** The passkeys of a person, with which withdrawals are approved. Sign-in uses none. */
export const PASSKEY_OPERATIONS = {
  getPasskeys: {
    method: 'GET',
    path: '/auth/passkeys',
    tag: 'Authentication',
    summary: 'Lists your passkeys',
    description:
      'At most ten, the oldest first, with the origin of the dashboard in which they work: null ' +
      'if the operator has not set `SLUICE_PUBLIC_URL`, and then no passkey can be used.',
    credential: 'bearer',
    permission: 'none',
    responses: {
      200: Type.Object({
        passkeys: Type.Array(Passkey),
        origin: textOrNull('The origin of the dashboard; null if passkeys are not set up.'),
      }),
    },
    errors: [],
    example: { answers: { 200: { passkeys: [PHONE], origin: `https://${HOST}` } } },
  },
  postPasskeyOptions: {
    method: 'POST',
    path: '/auth/passkeys/options',
    tag: 'Authentication',
    summary: 'Begins to add a passkey: options for the browser',
    description:
      'For `navigator.credentials.create`. `POST /auth/passkeys` stores the result within ten ' +
      'minutes, in the same session and before another one-time code is used. Requires a ' +
      'one-time code.',
    credential: 'bearer',
    permission: 'none',
    body: CodeRequest,
    bodyMayBeMissing: true,
    code: 'required',
    responses: { 200: PasskeyCreation },
    errors: ['INVALID_TOTP', 'RATE_LIMIT_EXCEEDED', 'INVALID_PASSKEY', 'PASSKEYS_NOT_CONFIGURED'],
    example: {
      body: { totpCode: '492039' },
      answers: {
        200: {
          challenge: 'cXVvdGggdGhlIHJhdmVuLCBuZXZlcm1vcmUuLi4uLi4',
          rp: { id: HOST, name: 'Sluice' },
          user: { id: USER_HANDLE, name: 'ann', displayName: 'ann' },
          pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
          timeout: TIMEOUT_MS,
          excludeCredentials: [],
          authenticatorSelection: { residentKey: 'preferred', ...VERIFIED },
          attestation: 'none',
        },
      },
    },
  },
  postPasskeys: {
    method: 'POST',
    path: '/auth/passkeys',
    tag: 'Authentication',
    summary: 'Adds the passkey that the browser created',
    description: '`credential` is what `navigator.credentials.create` returned, as JSON.',
    credential: 'bearer',
    permission: 'none',
    body: Type.Object({ name: PASSKEY_NAME, credential: PasskeyCredential }),
    responses: { 201: OnePasskey },
    errors: ['INVALID_PASSKEY', 'PASSKEYS_NOT_CONFIGURED'],
    example: {
      body: {
        name: 'Phone',
        credential: {
          id: CREDENTIAL.id,
          response: { clientDataJSON: CLIENT_DATA, attestationObject: DEVICE_DATA },
        },
      },
      answers: { 201: { passkey: PHONE } },
    },
  },
  patchPasskey: {
    method: 'PATCH',
    path: '/auth/passkeys/:id',
    tag: 'Authentication',
    summary: 'Renames one of your passkeys',
    description: 'Requires a one-time code.',
    credential: 'bearer',
    permission: 'none',
    params: PasskeyPath,
    body: Type.Object({ name: PASSKEY_NAME, totpCode: PERSONS_CODE }),
    code: 'required',
    responses: { 200: OnePasskey },
    errors: ['INVALID_TOTP', 'RATE_LIMIT_EXCEEDED', 'NOT_FOUND'],
    example: {
      params: { id: PHONE.id },
      body: { name: 'Phone', totpCode: '492039' },
      answers: { 200: { passkey: PHONE } },
    },
  },
  deletePasskey: {
    method: 'DELETE',
    path: '/auth/passkeys/:id',
    tag: 'Authentication',
    summary: 'Removes one of your passkeys',
    description:
      'It approves nothing from then on; approvals that it gave remain. Requires a one-time ' +
      'code in the header `x-totp-code`.',
    credential: 'bearer',
    permission: 'none',
    params: PasskeyPath,
    code: 'required',
    responses: { 200: Type.Object({}) },
    errors: ['INVALID_TOTP', 'RATE_LIMIT_EXCEEDED', 'NOT_FOUND'],
    example: { params: { id: PHONE.id }, answers: { 200: {} } },
  },
  getWithdrawalPasskeyOptions: {
    method: 'GET',
    path: '/withdrawals/:id/passkey-options',
    tag: 'Withdrawals',
    summary: 'Returns the options with which a passkey approves a withdrawal',
    description:
      'For `navigator.credentials.get`. The challenge is the canonical hash of the withdrawal: ' +
      'compute it from the fields that you show, and compare. `POST /withdrawals/:id/approve` ' +
      'takes the result. A passkey approves a withdrawal once.',
    credential: 'bearer',
    permission: 'approveWithdrawals',
    params: Type.Object({ id: WITHDRAWAL_ID }),
    responses: { 200: PasskeyRequest },
    errors: [
      'WITHDRAWAL_NOT_FOUND',
      'WITHDRAWAL_NOT_PENDING',
      'WITHDRAWAL_ALREADY_PROCESSED',
      'INVALID_PASSKEY',
      'PASSKEYS_NOT_CONFIGURED',
    ],
    example: {
      params: { id: '019ab4f0-7c1e-7d3a-9d0e-3f5a1c2b4d6e' },
      answers: {
        200: {
          challenge: 'GYFuFfIHz5zG9GIG2EMmpCO_XXP79aBA7Uh27jMpnH8',
          rpId: HOST,
          timeout: TIMEOUT_MS,
          ...VERIFIED,
          allowCredentials: [CREDENTIAL],
        },
      },
    },
  },
} as const satisfies Record<string, Operation>
