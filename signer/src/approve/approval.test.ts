import { describe, expect, test } from 'vitest'
import {
  type Assertion,
  assertionOf,
  ed25519,
  passkey,
  type PasskeyApproval,
  signatureOf,
  SITE,
} from '../../test/approvals.ts'
import { type Credential, publicKeyOf, verifyApproval } from './approval.ts'

const HASH = '19816e15f207cf9cc6f46206d84326a423bf5d73fbf5a040ed4876ee33299c7f'
const OTHER = HASH.replace('1', '2')
const EC = passkey('ec')
const EDWARDS = passkey('edwards', 'Ed25519')
const KEYS = [EC, EDWARDS]

const verdictOn = (approval: PasskeyApproval, changes: Partial<Credential> = {}, site = SITE) =>
  verifyApproval(approval, { ...EC.credential, ...changes }, HASH, site)

describe('an assertion', () => {
  test.each(KEYS)('of an ES256 or EdDSA passkey counts', (key) => {
    expect(verifyApproval(assertionOf(key, HASH), key.credential, HASH, SITE)).toBeNull()
  })

  test('challenges the 32 bytes of the hash in base64url', () => {
    const { clientData } = assertionOf(EC, HASH)
    const text = Buffer.from(clientData, 'hex').toString('utf8')
    expect(text).toContain('"challenge":"GYFuFfIHz5zG9GIG2EMmpCO_XXP79aBA7Uh27jMpnH8"')
  })

  test.each<[string, Partial<Assertion>]>([
    ['from the other listed origin', { origin: SITE.origins[1] }],
    ['of a key that is bound to its device', { flags: 0x05 }],
    ['of a key that can be backed up and is not', { flags: 0x0d }],
    ['with reserved flags', { flags: 0x05 | 0x22 }],
    ['without a word about framing', { crossOrigin: undefined }],
    ['with a counter', { counter: 1 }],
  ])('%s counts', (_what, changes) => {
    expect(verdictOn(assertionOf(EC, HASH, changes))).toBeNull()
  })

  test.each<[string, Partial<Assertion>, RegExp]>([
    ['a registration', { type: 'webauthn.create' }, /not an assertion/],
    ['another type', { type: ['webauthn.get'] }, /not an assertion/],
    ['another withdrawal', { challenge: Buffer.from(OTHER, 'hex') }, /challenge/],
    ['the hash as text', { challenge: Buffer.from(HASH) }, /challenge/],
    ['a part of the hash', { challenge: Buffer.from(HASH, 'hex').subarray(1) }, /challenge/],
    ['no challenge', { challenge: Buffer.alloc(0) }, /challenge/],
    ['another origin', { origin: 'https://sluice.example.com.thief.example' }, /origin/],
    ['an origin with a path', { origin: `${SITE.origins[0]}/` }, /origin/],
    ['several origins', { origin: SITE.origins }, /origin/],
    ['no origin', { origin: undefined }, /origin/],
    ['a framed page', { crossOrigin: true }, /framed/],
    ['another site', { rpId: 'example.com' }, /site/],
    ['no presence', { flags: 0x04 }, /verify the person/],
    ['no verification', { flags: 0x01 }, /verify the person/],
    ['attested data', { flags: 0x45 }, /further fields/],
    ['extensions', { flags: 0x85, extra: Buffer.of(0xa0) }, /37 bytes/],
    ['extensions that are missing', { flags: 0x85 }, /further fields/],
    ['a backup without the right to it', { flags: 0x15 }, /backup/],
    ['a trailing byte', { extra: Buffer.of(0) }, /37 bytes/],
  ])('with %s does not count', (_what, changes, says) => {
    expect(verdictOn(assertionOf(EC, HASH, changes))).toMatch(says)
  })

  test.each([
    [0, 0, true],
    [0, 1, true],
    [5, 6, true],
    [5, 2 ** 32 - 1, true],
    [5, 5, false],
    [5, 4, false],
    [5, 0, false],
  ])('after a counter of %i has one of %i: %s', (counter, next, isValid) => {
    const verdict = verdictOn(assertionOf(EC, HASH, { counter: next }), { counter })
    expect(verdict).toEqual(isValid ? null : expect.stringMatching(/counter/))
  })

  test.each<[string, (approval: PasskeyApproval) => Partial<PasskeyApproval>]>([
    ['client data', ({ clientData }) => ({ clientData: `${clientData}20` })],
    [
      'counter',
      ({ authenticatorData }) => ({ authenticatorData: `${authenticatorData.slice(0, -2)}01` }),
    ],
    ['signature that ends early', ({ signature }) => ({ signature: signature.slice(0, -2) })],
    ['signature with a trailing byte', ({ signature }) => ({ signature: `${signature}00` })],
    ['signature of another', () => ({ signature: assertionOf(passkey('x'), HASH).signature })],
    ['signature of another assertion', () => ({ signature: assertionOf(EC, OTHER).signature })],
  ])('with a changed %s does not count', (_what, change) => {
    for (const key of KEYS) {
      const approval = assertionOf(key, HASH)
      const changed = { ...approval, ...change(approval) }
      expect(verifyApproval(changed, key.credential, HASH, SITE)).toMatch(/signature is invalid/)
    }
  })

  test.each(['', '5b5d', '22', 'ff', '6e756c6c', '7b7d'])(
    'with the client data %s does not count',
    (clientData) => {
      expect(verdictOn({ ...assertionOf(EC, HASH), clientData })).toMatch(/not an assertion/)
    },
  )

  test('of authenticator data that ends early does not count', () => {
    const { authenticatorData, ...approval } = assertionOf(EC, HASH)
    const short = { ...approval, authenticatorData: authenticatorData.slice(0, -2) }
    expect(verdictOn(short)).toMatch(/37 bytes/)
  })

  test('does not count with a revoked key, another key or another site', () => {
    const approval = assertionOf(EC, HASH)
    expect(verdictOn(approval, { isRevoked: true })).toMatch(/revoked/)
    expect(verdictOn(approval, { publicKey: EDWARDS.credential.publicKey })).toMatch(/signature/)
    expect(verdictOn(approval, { publicKey: 'a0' })).toMatch(/signature/)
    expect(verdictOn(approval, { kind: 'ed25519' })).toMatch(/another kind/)
    expect(verdictOn(approval, {}, { ...SITE, rpId: 'example.com' })).toMatch(/site/)
    expect(verdictOn(approval, {}, { ...SITE, origins: [] })).toMatch(/origin/)
  })
})

describe('an Ed25519 signature', () => {
  const key = ed25519('cli')
  const verdict = (approval: ReturnType<typeof signatureOf>, changes: Partial<Credential> = {}) =>
    approval.kind === 'attested'
      ? 'attested'
      : verifyApproval(approval, { ...key.credential, ...changes }, HASH, SITE)

  test('over the domain and the hash counts', () => {
    expect(verdict(signatureOf(key, HASH))).toBeNull()
  })

  test.each<[string, ReturnType<typeof signatureOf>, RegExp]>([
    ['of another hash', signatureOf(key, OTHER), /invalid/],
    ['in another domain', signatureOf(key, HASH, 'sluice/policy/1'), /invalid/],
    ['of another key', signatureOf(ed25519('cli'), HASH), /invalid/],
    ['as an assertion', assertionOf(EDWARDS, HASH), /another kind/],
  ])('%s does not count', (_what, approval, says) => {
    expect(verdict(approval)).toMatch(says)
  })

  test('of a revoked key does not count', () => {
    expect(verdict(signatureOf(key, HASH), { isRevoked: true })).toMatch(/revoked/)
  })
})

describe('a public key', () => {
  const { publicKey } = EC.credential
  test.each([
    ['an own key', publicKey, true],
    ['a point that is not on the curve', `${publicKey.slice(0, -64)}${'11'.repeat(32)}`, false],
    ['a trailing byte', `${publicKey}00`, false],
    ['a leading byte', `00${publicKey}`, false],
    ['another algorithm', publicKey.replace('0326', '0327'), false],
    ['a map of another length', `a4${publicKey.slice(2)}`, false],
    ['EdDSA with the curve of ES256', EDWARDS.credential.publicKey.replace('2006', '2001'), false],
    ['no bytes', '', false],
  ])('of %s is read: %#', (_what, text, isKey) => {
    expect(publicKeyOf({ kind: 'passkey', publicKey: text }) !== null).toBe(isKey)
  })
})
