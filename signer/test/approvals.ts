import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { Approval, Credential, Site } from '../src/approve/approval.ts'

export type PasskeyApproval = Extract<Approval, { kind: 'passkey' }>
export type Curve = 'P-256' | 'Ed25519'

export const SITE: Site = {
  rpId: 'sluice.example.com',
  origins: ['https://sluice.example.com', 'https://pay.example.com'],
}

/** A credential with its private key. */
export interface Key {
  credential: Credential
  privateKey: KeyObject
}

/** The parts of an assertion that an authenticator and a browser write. */
export interface Assertion {
  type: unknown
  /** Bytes. */
  challenge: Buffer
  origin: unknown
  crossOrigin: unknown
  rpId: string
  flags: number
  counter: number
  /** Behind the counter. */
  extra: Buffer
}

/** Flags of a passkey that verified its person and is backed up. */
export const FLAGS = 0x1d

export function passkey(id: string, curve: Curve = 'P-256', counter = 0): Key {
  const { privateKey, publicKey } =
    curve === 'P-256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('ed25519')
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const [left, right] = [x, y].map((part) => Buffer.from(part, 'base64url').toString('hex'))
  const cose =
    curve === 'P-256' ? `a5010203262001215820${left}225820${right}` : `a4010103272006215820${left}`
  return {
    privateKey,
    credential: { kind: 'passkey', id, publicKey: cose, counter, isRevoked: false },
  }
}

export function ed25519(id: string): Key {
  const { privateKey, credential } = passkey(id, 'Ed25519')
  const publicKey = credential.publicKey.slice(-64)
  return { privateKey, credential: { ...credential, kind: 'ed25519', publicKey } }
}

/** An assertion for a canonical hash, valid unless `changes` or `edit` make it invalid. */
export function assertionOf(
  { credential, privateKey }: Key,
  hash: string,
  changes: Partial<Assertion> = {},
): PasskeyApproval {
  const challenge = Buffer.from(hash, 'hex')
  const [origin] = SITE.origins
  const site = { type: 'webauthn.get', challenge, origin, crossOrigin: false, rpId: SITE.rpId }
  const parts = { ...site, flags: FLAGS, counter: 0, extra: Buffer.alloc(0), ...changes }
  const client = Buffer.from(
    JSON.stringify({
      type: parts.type,
      challenge: parts.challenge.toString('base64url'),
      origin: parts.origin,
      crossOrigin: parts.crossOrigin,
    }),
  )
  const counter = Buffer.alloc(4)
  counter.writeUInt32BE(parts.counter)
  const flags = Buffer.of(parts.flags)
  const device = Buffer.concat([sha256(Buffer.from(parts.rpId)), flags, counter, parts.extra])
  const digest = privateKey.asymmetricKeyType === 'ec' ? 'sha256' : null
  const signature = sign(digest, Buffer.concat([device, sha256(client)]), privateKey)
  return {
    kind: 'passkey',
    credentialId: credential.id,
    clientData: client.toString('hex'),
    authenticatorData: device.toString('hex'),
    signature: signature.toString('hex'),
  }
}

/** The approval of a withdrawal by an Ed25519 key. */
export function signatureOf(
  { credential, privateKey }: Key,
  hash: string,
  domain = 'sluice/approval/1',
): Approval {
  const signature = sign(null, Buffer.from(`${domain}\n${hash}`), privateKey).toString('hex')
  return { kind: 'ed25519', credentialId: credential.id, signature }
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
