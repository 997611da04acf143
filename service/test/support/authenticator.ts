import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign as signWith,
} from 'node:crypto'
import type { PasskeyAssertion, PasskeyCredential } from '@sluice/wire'
import type { Answered, Door } from './door.ts'
import type { Signer } from './withdrawal-desk.ts'

/** The dashboard that the door of the tests names. */
const SITE = { origin: 'https://sluice.example.com', rpId: 'sluice.example.com' }
/** Flags of authenticator data (WebAuthn level 3, section 6.1). */
const PRESENT = 0x01
const VERIFIED = 0x04
const WITH_KEY = 0x40

/** What a forger, or another site, would answer instead. */
export interface Changes {
  origin?: string
  rpId?: string
  /** Whether it checked a fingerprint, a face or a PIN. */
  isVerified?: boolean
  counter?: number
  /** Signs instead of the key of the credential. */
  key?: KeyObject
}

/** An authenticator with one credential on P-256, written from the standard. */
export class SoftAuthenticator {
  readonly credentialId = randomBytes(16)
  /** Uses so far; one that does not count says 0 always. */
  counter: number
  readonly #step: number
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  constructor({ counts = false }: { counts?: boolean } = {}) {
    this.#step = counts ? 1 : 0
    this.counter = this.#step
  }

  get id(): string {
    return this.credentialId.toString('base64url')
  }

  /** Answers `navigator.credentials.create`. */
  create(challenge: string, changes: Changes = {}): PasskeyCredential {
    const length = Buffer.from([0, this.credentialId.length])
    const key = Buffer.concat([Buffer.alloc(16), length, this.credentialId, this.#coseKey()])
    const data = Buffer.concat([this.#data(changes, WITH_KEY), key])
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      cborText('fmt'),
      cborText('none'),
      cborText('attStmt'),
      Buffer.from([0xa0]),
      cborText('authData'),
      cborBytes(data),
    ])
    return {
      id: this.id,
      response: {
        clientDataJSON: clientData('webauthn.create', challenge, changes).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
      },
    }
  }

  /** Answers `navigator.credentials.get`. */
  get(challenge: string, changes: Changes = {}): PasskeyAssertion {
    this.counter += this.#step
    const client = clientData('webauthn.get', challenge, changes)
    const data = this.#data(changes, 0)
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    const signature = signWith('sha256', signed, changes.key ?? this.#keys.privateKey)
    return {
      id: this.id,
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      },
    }
  }

  #data({ rpId = SITE.rpId, isVerified = true, counter = this.counter }: Changes, more: number) {
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(counter)
    const flags = Buffer.from([PRESENT | (isVerified ? VERIFIED : 0) | more])
    return Buffer.concat([createHash('sha256').update(rpId).digest(), flags, counted])
  }

  /** RFC 9053: kty 2 (EC2), alg -7 (ES256), crv 1 (P-256), x, y. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      cborBytes(Buffer.from(x, 'base64url')),
      Buffer.from([0x22]),
      cborBytes(Buffer.from(y, 'base64url')),
    ])
  }
}

/** A key of nobody's passkey. */
export function strangeKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
}

/** Begins to add a passkey, with a fresh code, and returns the challenge. */
export async function beginPasskey(signer: Signer): Promise<string> {
  const body = { totpCode: await signer.code() }
  const { status, text, json } = await signer.ask('/auth/passkeys/options', 'POST', body)
  if (status !== 200) throw new Error(text)
  return String(json['challenge'])
}

/** Adds the passkey of an authenticator, and returns its id. */
export async function addPasskey(
  signer: Signer,
  authenticator: SoftAuthenticator,
  name = 'Phone',
): Promise<string> {
  const credential = authenticator.create(await beginPasskey(signer))
  const { status, text, json } = await storePasskey(signer, { name, credential })
  if (status !== 201) throw new Error(text)
  return String(Object(json['passkey'])['id'])
}

/** Sends a credential that the browser created. */
export function storePasskey(
  signer: Signer,
  passkey: { name: string; credential: PasskeyCredential },
): Promise<Answered> {
  return signer.ask('/auth/passkeys', 'POST', passkey)
}

/** The answer to a request for the passkeys of a person. */
export async function passkeysOf(signer: Signer): Promise<Answered['json']> {
  return (await signer.ask('/auth/passkeys', 'GET')).json
}

/** Asks to remove a passkey, with a fresh code. */
export async function removePasskey(door: Door, signer: Signer, id: string): Promise<Answered> {
  const headers = { authorization: signer.authorization, 'x-totp-code': await signer.code() }
  return door.ask(`/auth/passkeys/${id}`, { key: null, method: 'DELETE', headers })
}

/** The body of the refusal of a passkey. */
export function passkeyRefused(reason: string) {
  return { error: 'INVALID_PASSKEY', details: { reason } }
}

/** The challenge of a withdrawal for a signer. */
export async function challengeOf(signer: Signer, withdrawalId: string): Promise<string> {
  const path = `/withdrawals/${withdrawalId}/passkey-options`
  const { status, text, json } = await signer.ask(path, 'GET')
  if (status !== 200) throw new Error(text)
  return String(json['challenge'])
}

/** Approves with an assertion. */
export function approveWith(
  signer: Signer,
  withdrawalId: string,
  assertion: PasskeyAssertion,
): Promise<Answered> {
  return signer.ask(`/withdrawals/${withdrawalId}/approve`, 'POST', { assertion })
}

function clientData(type: string, challenge: string, { origin = SITE.origin }: Changes): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

/** RFC 8949: a text of less than 24 bytes. */
function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 | text.length]), Buffer.from(text)])
}

/** RFC 8949: bytes, less than 256. */
function cborBytes(bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([0x58, bytes.length]), bytes])
}
