import { createHash, createPublicKey, verify } from 'node:crypto'
import { type Static, Type } from 'typebox'

export const closed = { additionalProperties: false } as const
export const Id = Type.String({ minLength: 1, maxLength: 2_048 })
export const Hex = Type.String({ pattern: '^(?:[0-9a-f]{2})+$', maxLength: 8_192 })
const SIGNED = { credentialId: Id, signature: Hex }

/**
 * The consent of a person to a withdrawal: a WebAuthn assertion whose challenge is the canonical
 * hash; an Ed25519 signature over `sluice/approval/1\n<hash>`; or the statement of the service that
 * it checked a one-time code, which counts in the lowest tier alone.
 */
export const Approval = Type.Union([
  Type.Object(
    { kind: Type.Literal('passkey'), ...SIGNED, clientData: Hex, authenticatorData: Hex },
    closed,
  ),
  Type.Object({ kind: Type.Literal('ed25519'), ...SIGNED }, closed),
  Type.Object({ kind: Type.Literal('attested'), personId: Id }, closed),
])
export type Approval = Static<typeof Approval>
type SignedApproval = Exclude<Approval, { kind: 'attested' }>
type Passkey = Extract<Approval, { kind: 'passkey' }>

/** A key of a person. */
export const Credential = Type.Object(
  {
    kind: Type.Enum(['passkey', 'ed25519']),
    id: Id,
    /** The 32 bytes of an Ed25519 key; of a passkey COSE (ES256, EdDSA), as CTAP2 encodes it. */
    publicKey: Hex,
    /** The signature counter of a passkey when it was enrolled; else 0. */
    counter: Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 }),
    isRevoked: Type.Boolean(),
  },
  closed,
)
export type Credential = Static<typeof Credential>

/** The relying party of all passkeys, and the origins of its pages. */
export const Site = Type.Object({ rpId: Id, origins: Type.Array(Id) }, closed)
export type Site = Static<typeof Site>

const COSE_ES256 = /^a5010203262001215820([0-9a-f]{64})225820([0-9a-f]{64})$/
const COSE_EDDSA = /^a4010103272006215820([0-9a-f]{64})$/
const ED25519 = /^([0-9a-f]{64})$/
/** WebAuthn, section 6.1: flags, and the length without attested data and extensions. */
const FLAG = { presentAndVerified: 0x05, backup: 0x18, backupWithoutRight: 0x10, more: 0xc0 }
const AUTHENTICATOR_BYTES = 37

/** Verifies an approval of a canonical hash by a key. Returns null, or why it does not count. */
export function verifyApproval(
  approval: SignedApproval,
  credential: Credential,
  hash: string,
  site: Site,
): string | null {
  if (credential.isRevoked) return 'The credential is revoked.'
  if (credential.kind !== approval.kind) return 'The credential is of another kind.'
  const isPasskey = approval.kind === 'passkey'
  const objection = isPasskey ? objectionTo(approval, credential.counter, hash, site) : null
  if (objection !== null) return objection
  const message = isPasskey ? assertedBytes(approval) : `sluice/approval/1\n${hash}`
  return isSigned(message, credential, approval.signature) ? null : 'The signature is invalid.'
}

/** Whether a key signed a message (ES256, Ed25519). False if its bytes are not a key. */
export function isSigned(
  message: string | Buffer,
  key: Pick<Credential, 'kind' | 'publicKey'>,
  signature: string,
): boolean {
  const publicKey = publicKeyOf(key)
  const digest = publicKey?.asymmetricKeyType === 'ec' ? 'sha256' : null
  const bytes = Buffer.from(signature, 'hex')
  return publicKey !== null && verify(digest, Buffer.from(message), publicKey, bytes)
}

/** The public key in the bytes of a credential; null if they are not a key of its kind. */
export function publicKeyOf({ kind, publicKey }: Pick<Credential, 'kind' | 'publicKey'>) {
  const patterns = kind === 'passkey' ? [COSE_ES256, COSE_EDDSA] : [ED25519]
  const found = patterns.map((pattern) => pattern.exec(publicKey)).find((match) => match !== null)
  const [x, y] = found?.slice(1).map(toBase64Url) ?? []
  if (x === undefined) return null
  const edwards = { kty: 'OKP', crv: 'Ed25519', x }
  const key = y === undefined ? edwards : { kty: 'EC', crv: 'P-256', x, y }
  try {
    return createPublicKey({ format: 'jwk', key })
  } catch {
    return null
  }
}

/** WebAuthn, section 7.2, without the signature. */
function objectionTo(approval: Passkey, counter: number, hash: string, site: Site): string | null {
  const client = Object(parseJson(Buffer.from(approval.clientData, 'hex').toString('utf8')))
  const device = Buffer.from(approval.authenticatorData, 'hex')
  if (device.length !== AUTHENTICATOR_BYTES) return 'The authenticator data is not of 37 bytes.'
  const flags = device.readUInt8(32)
  const isVerified = (flags & FLAG.presentAndVerified) === FLAG.presentAndVerified
  const count = device.readUInt32BE(33)
  const rules: [boolean, string][] = [
    [client['type'] === 'webauthn.get', 'The signed data is not an assertion.'],
    [client['challenge'] === toBase64Url(hash), 'Another challenge was signed.'],
    [site.origins.some((origin) => origin === client['origin']), 'The origin is not listed.'],
    [client['crossOrigin'] !== true, 'The page was framed by another origin.'],
    [device.subarray(0, 32).equals(sha256(Buffer.from(site.rpId))), 'Another site asked.'],
    [isVerified, 'The authenticator did not verify the person.'],
    [(flags & FLAG.more) === 0, 'The authenticator data names further fields.'],
    [(flags & FLAG.backup) !== FLAG.backupWithoutRight, 'The backup flags are invalid.'],
    [count > counter || (count === 0 && counter === 0), 'The counter is not above the known one.'],
  ]
  return rules.find(([holds]) => !holds)?.[1] ?? null
}

function assertedBytes({ authenticatorData, clientData }: Passkey): Buffer {
  const client = sha256(Buffer.from(clientData, 'hex'))
  return Buffer.concat([Buffer.from(authenticatorData, 'hex'), client])
}

/** The value of a JSON text; null if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function toBase64Url(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64url')
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
