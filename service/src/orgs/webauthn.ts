import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import type { PasskeyAssertion, PasskeyCredential } from '@sluice/wire'
import { type PasskeyFault, passkeyRefusal, type PasskeySite, toBase64url } from './passkey.ts'
import type { PasskeyRow } from './passkey-rows.ts'

/**
 * The accepted algorithms of COSE, which authenticators of all makers have: ECDSA on P-256, and
 * RSA for older ones of Windows.
 */
export const ALGORITHMS = [-7, -257]

/** The site, and the 32 bytes that the authenticator must have signed. */
interface Expected {
  site: PasskeySite
  challenge: Uint8Array
}

/** The verified key of a new passkey. */
export interface VerifiedKey {
  credentialId: Uint8Array
  /** In COSE. */
  publicKey: Uint8Array
  counter: number
}

/** The reason of an error of the library, by its message; a test has each of them. */
const FAULTS: readonly [RegExp, PasskeyFault][] = [
  [/response challenge/, 'challenge'],
  [/response origin|RP ID hash/, 'origin'],
  [/[Uu]ser (?:verification|presence|not present)/, 'user_verification'],
  [/counter value/, 'counter'],
]

/**
 * Verifies a new credential (WebAuthn level 3, section 7.1): challenge, origin, host name, and that
 * the authenticator verified its user. Refuses with INVALID_PASSKEY.
 */
export async function verifyCredential(
  { id, response }: PasskeyCredential,
  { site, challenge }: Expected,
): Promise<VerifiedKey> {
  const verification = await orRefuse(() =>
    verifyRegistrationResponse({
      response: { ...jsonOf(id), response },
      expectedChallenge: toBase64url(challenge),
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  )
  if (!verification.verified) throw passkeyRefusal('signature')
  const { credential } = verification.registrationInfo
  return {
    credentialId: new Uint8Array(Buffer.from(credential.id, 'base64url')),
    publicKey: credential.publicKey,
    counter: credential.counter,
  }
}

/**
 * Verifies an assertion with a stored passkey (WebAuthn level 3, section 7.2): challenge, origin,
 * host name, signature, that the authenticator verified its user, and that its counter grew unless
 * it does not count. Returns the new counter. Refuses with INVALID_PASSKEY.
 */
export async function verifyAssertion(
  { response }: PasskeyAssertion,
  { site, challenge }: Expected,
  passkey: Pick<PasskeyRow, 'credential_id' | 'public_key' | 'counter'>,
): Promise<number> {
  const id = toBase64url(passkey.credential_id)
  const verification = await orRefuse(() =>
    verifyAuthenticationResponse({
      response: { ...jsonOf(id), response },
      expectedChallenge: toBase64url(challenge),
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      requireUserVerification: true,
      credential: {
        id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.counter,
      },
    }),
  )
  if (!verification.verified) throw passkeyRefusal('signature')
  return verification.authenticationInfo.newCounter
}

/** The constant fields of a credential in JSON. */
function jsonOf(id: string) {
  return { id, rawId: id, type: 'public-key', clientExtensionResults: {} } as const
}

/** The library throws for whatever it cannot accept, text that cannot be parsed included. */
async function orRefuse<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify()
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const [, fault = 'malformed'] = FAULTS.find(([pattern]) => pattern.test(message)) ?? []
    throw passkeyRefusal(fault)
  }
}
