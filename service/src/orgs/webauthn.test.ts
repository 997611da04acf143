import { randomBytes } from 'node:crypto'
import type { PasskeyAssertion } from '@sluice/wire'
import { describe, expect, test } from 'vitest'
import { type Changes, SoftAuthenticator, strangeKey } from '../../test/support/authenticator.ts'
import { passkeySiteOf, requireSite, toBase64url } from './passkey.ts'
import { verifyAssertion, verifyCredential } from './webauthn.ts'

const site = requireSite(passkeySiteOf('https://sluice.example.com/dashboard/'))
const challenge = new Uint8Array(randomBytes(32))
const asText = toBase64url(challenge)
const rejected = (reason: string) => ({ code: 'INVALID_PASSKEY', details: { reason } })

async function enrolled(authenticator: SoftAuthenticator) {
  const key = await verifyCredential(authenticator.create(asText), { site, challenge })
  const { credentialId: credential_id, publicKey: public_key, counter } = key
  return { credential_id, public_key, counter }
}

const WRONG: readonly (readonly [string, Changes, string])[] = [
  ['another origin', { origin: 'https://example.com' }, 'origin'],
  ['another port', { origin: 'https://sluice.example.com:8443' }, 'origin'],
  ['another host name', { rpId: 'example.com' }, 'origin'],
  ['an unchecked user', { isVerified: false }, 'user_verification'],
]

describe('a new credential', () => {
  test('has the id and the counter of its authenticator', async () => {
    const authenticator = new SoftAuthenticator({ counts: true })
    const { credential_id, counter } = await enrolled(authenticator)
    expect(toBase64url(credential_id)).toBe(authenticator.id)
    expect(counter).toBe(1)
  })

  test.each(WRONG)('with %s is refused', async (_what, changes, reason) => {
    const credential = new SoftAuthenticator().create(asText, changes)
    await expect(verifyCredential(credential, { site, challenge })).rejects.toMatchObject(
      rejected(reason),
    )
  })

  test('over another challenge is refused', async () => {
    const credential = new SoftAuthenticator().create(toBase64url(randomBytes(32)))
    await expect(verifyCredential(credential, { site, challenge })).rejects.toMatchObject(
      rejected('challenge'),
    )
  })

  test('that is an assertion is refused', async () => {
    const authenticator = new SoftAuthenticator()
    const { response } = authenticator.create(asText)
    const { clientDataJSON } = authenticator.get(asText).response
    const credential = { id: authenticator.id, response: { ...response, clientDataJSON } }
    await expect(verifyCredential(credential, { site, challenge })).rejects.toMatchObject(
      rejected('malformed'),
    )
  })
})

describe('an assertion', () => {
  test('is accepted with its counter', async () => {
    for (const counts of [false, true]) {
      const authenticator = new SoftAuthenticator({ counts })
      const passkey = await enrolled(authenticator)
      const counter = await verifyAssertion(authenticator.get(asText), { site, challenge }, passkey)
      expect(counter).toBe(counts ? 2 : 0)
    }
  })

  test.each([...WRONG, ['another key', { key: strangeKey() }, 'signature'] as const])(
    'with %s is refused',
    async (_what, changes, reason) => {
      const authenticator = new SoftAuthenticator()
      const passkey = await enrolled(authenticator)
      const assertion = authenticator.get(asText, changes)
      await expect(verifyAssertion(assertion, { site, challenge }, passkey)).rejects.toMatchObject(
        rejected(reason),
      )
    },
  )

  test('over another challenge, or with a counter that does not grow, is refused', async () => {
    const authenticator = new SoftAuthenticator({ counts: true })
    const passkey = await enrolled(authenticator)
    const verify = (assertion: PasskeyAssertion, counter = 1) =>
      verifyAssertion(assertion, { site, challenge }, { ...passkey, counter })
    const other = authenticator.get(toBase64url(randomBytes(32)))
    await expect(verify(other)).rejects.toMatchObject(rejected('challenge'))
    const assertion = authenticator.get(asText, { counter: 7 })
    expect(await verify(assertion, 6)).toBe(7)
    for (const counter of [7, 8])
      await expect(verify(assertion, counter)).rejects.toMatchObject(rejected('counter'))
  })

  test('is refused after any change of its bytes', async () => {
    const authenticator = new SoftAuthenticator()
    const passkey = await enrolled(authenticator)
    const { id, response } = authenticator.get(asText)
    for (const field of ['clientDataJSON', 'authenticatorData', 'signature'] as const) {
      const bytes = Buffer.from(response[field], 'base64url')
      // The library reads the DER of a signature leniently: only the integers count.
      for (let at = field === 'signature' ? bytes.length - 24 : 0; at < bytes.length; at += 1) {
        const changed = Buffer.from(bytes)
        changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
        const wrong = { id, response: { ...response, [field]: toBase64url(changed) } }
        await expect(verifyAssertion(wrong, { site, challenge }, passkey)).rejects.toMatchObject({
          code: 'INVALID_PASSKEY',
        })
      }
    }
  })
})

test.each([
  ['', null],
  ['https://pay.example.com/dashboard', 'pay.example.com'],
  ['http://localhost:8080', 'localhost'],
])('the site of the public URL %j is %j', (url, rpId) => {
  expect(passkeySiteOf(url)?.rpId ?? null).toBe(rpId)
})
