import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  addPasskey,
  approveWith,
  challengeOf,
  type Changes,
  passkeyRefused,
  passkeysOf,
  removePasskey,
  SoftAuthenticator,
  strangeKey,
} from '../../test/support/authenticator.ts'
import { refusalIn } from '../../test/support/door.ts'
import { type Desk, idIn, openDesk, type Signer } from '../../test/support/withdrawal-desk.ts'
import { canonicalHash } from '../withdrawals/signing-fields.ts'

const HOUR_MS = 3_600_000
const NOBODY = '019b76da-0000-7000-8000-000000000000'

let desk: Desk
let ann: Signer
let ben: Signer
let phone: SoftAuthenticator

beforeAll(async () => {
  desk = await openDesk()
  await desk.fund(100_000n)
})
afterAll(() => desk.close())
// A session lasts an hour, and each test lets time pass.
beforeEach(async () => {
  await desk.threshold(3)
  ann = await desk.signer()
  ben = await desk.signer()
  phone = new SoftAuthenticator()
})

async function createdBy(signer: Signer): Promise<string> {
  const body = {
    chainId: 'eip155:1',
    tokenId: 'eip155:1/slip44:60',
    amount: '60',
    recipient: `0x${'ab'.repeat(20)}`,
    reference: desk.door.harness.ids.next(),
  }
  return idIn((await signer.ask('/withdrawals', 'POST', body)).json['withdrawal'])
}

describe('an approval with a passkey', () => {
  test('signs the canonical hash, counts, and is recorded with its method', async () => {
    const passkeyId = await addPasskey(ben, phone)
    const id = await createdBy(ann)
    const { json: options } = await ben.ask(`/withdrawals/${id}/passkey-options`, 'GET')
    expect(options).toMatchObject({
      rpId: 'sluice.example.com',
      userVerification: 'required',
      allowCredentials: [{ type: 'public-key', id: phone.id }],
    })
    const hash = Buffer.from(canonicalHash(await desk.read(id))).toString('base64url')
    expect(options['challenge']).toBe(hash)
    await desk.door.harness.clock.advance(1)
    const approved = await approveWith(ben, id, phone.get(hash))
    expect(approved.json['withdrawal']).toMatchObject({
      status: 'PendingApproval',
      approvers: [ann.userId, ben.userId],
    })
    const cem = await desk.signer()
    expect((await cem.approve(id)).json['withdrawal']).toMatchObject({ status: 'Pending' })
    const { json: record } = await ben.ask(`/withdrawals/${id}`, 'GET')
    expect(record['approvals']).toMatchObject([
      { userId: ann.userId, method: null },
      { userId: ben.userId, method: 'passkey' },
      { userId: cem.userId, method: 'totp' },
    ])
    expect(await passkeysOf(ben)).toMatchObject({ passkeys: [{ lastUsedAt: expect.any(String) }] })
    const log = await desk.rows(`
      select details from audit_log where object = '${id}' and action = 'withdrawal.approve'
       order by id`)
    expect(log.map(({ details }) => details)).toEqual([
      { method: 'passkey', passkeyId },
      { method: 'totp' },
    ])
  })

  test('changes nothing if the person approved already', async () => {
    await addPasskey(ben, phone)
    const id = await createdBy(ann)
    const challenge = await challengeOf(ben, id)
    await approveWith(ben, id, phone.get(challenge))
    const again = await approveWith(ben, id, phone.get(challenge))
    expect(again).toMatchObject({ status: 200, json: { withdrawal: { requiredApprovals: 3 } } })
    expect(await desk.read(id)).toMatchObject({ approvers: [ann.userId, ben.userId] })
  })

  test.each<[string, Changes, string]>([
    ['another site', { origin: 'https://sluice.example.org' }, 'origin'],
    ['another host name', { rpId: 'example.com' }, 'origin'],
    ['no check of the user', { isVerified: false }, 'user_verification'],
    ['another key', { key: strangeKey() }, 'signature'],
  ])('is refused with %s', async (_what, changes, reason) => {
    await addPasskey(ben, phone)
    const id = await createdBy(ann)
    const answer = await approveWith(ben, id, phone.get(await challengeOf(ben, id), changes))
    expect(answer.status).toBe(401)
    expect(refusalIn(answer)).toMatchObject(passkeyRefused(reason))
    expect(await desk.read(id)).toMatchObject({ approvers: [ann.userId] })
  })

  test('is refused with the signature of another withdrawal [A13]', async () => {
    await addPasskey(ben, phone)
    const [id, other] = [await createdBy(ann), await createdBy(ann)]
    const assertion = phone.get(await challengeOf(ben, other))
    expect(refusalIn(await approveWith(ben, id, assertion))).toMatchObject(
      passkeyRefused('challenge'),
    )
    expect((await approveWith(ben, other, assertion)).status).toBe(200)
    expect(await desk.read(id)).toMatchObject({ approvers: [ann.userId] })
  })

  test('is refused with the passkey of another person', async () => {
    await addPasskey(ben, phone)
    const tablet = new SoftAuthenticator()
    const cem = await desk.signer()
    await addPasskey(cem, tablet)
    const id = await createdBy(ann)
    const assertion = tablet.get(await challengeOf(ben, id))
    expect(refusalIn(await approveWith(ben, id, assertion))).toMatchObject(
      passkeyRefused('unknown'),
    )
    const renamed = { ...assertion, id: phone.id }
    expect(refusalIn(await approveWith(ben, id, renamed))).toMatchObject(
      passkeyRefused('signature'),
    )
    expect((await approveWith(cem, id, assertion)).status).toBe(200)
  })

  test('is refused with a removed passkey', async () => {
    const passkeyId = await addPasskey(ben, phone)
    const id = await createdBy(ann)
    const assertion = phone.get(await challengeOf(ben, id))
    await removePasskey(desk.door, ben, passkeyId)
    expect(refusalIn(await approveWith(ben, id, assertion))).toMatchObject(
      passkeyRefused('unknown'),
    )
    const options = await ben.ask(`/withdrawals/${id}/passkey-options`, 'GET')
    expect(refusalIn(options)).toMatchObject(passkeyRefused('none'))
  })

  test('is refused when the counter does not grow', async () => {
    const key = new SoftAuthenticator({ counts: true })
    await addPasskey(ben, key)
    const [first, second] = [await createdBy(ann), await createdBy(ann)]
    expect((await approveWith(ben, first, key.get(await challengeOf(ben, first)))).status).toBe(200)
    const challenge = await challengeOf(ben, second)
    for (const counter of [key.counter, key.counter - 1, 0]) {
      const answer = await approveWith(ben, second, key.get(challenge, { counter }))
      expect(refusalIn(answer)).toMatchObject(passkeyRefused('counter'))
    }
    expect((await approveWith(ben, second, key.get(challenge))).status).toBe(200)
  })

  test('is refused when it is sent again after it expired', async () => {
    await addPasskey(ben, phone)
    const [id, clock] = [await createdBy(ann), desk.door.harness.clock]
    const assertion = phone.get(await challengeOf(ben, id))
    expect((await approveWith(ben, id, assertion)).status).toBe(200)
    // Void, and the session with it: the person signs in again.
    await clock.advance(25 * HOUR_MS)
    const cem = await desk.signer()
    expect((await cem.approve(id)).json['withdrawal']).toMatchObject({
      approvers: [ann.userId, cem.userId],
    })
    const again = await desk.signedIn(ben)
    expect(refusalIn(await approveWith(again, id, assertion))).toMatchObject(passkeyRefused('used'))
    const fresh = phone.get(assertionChallenge(assertion.response.clientDataJSON))
    expect(refusalIn(await approveWith(again, id, fresh))).toMatchObject(passkeyRefused('used'))
    const options = await again.ask(`/withdrawals/${id}/passkey-options`, 'GET')
    expect(refusalIn(options)).toMatchObject(passkeyRefused('used'))
    expect((await again.approve(id)).json['withdrawal']).toMatchObject({ status: 'Pending' })
  })

  test('is counted with wrong codes', async () => {
    await addPasskey(ben, phone)
    const id = await createdBy(ann)
    const wrong = phone.get(await challengeOf(ben, id), { key: strangeKey() })
    for (let guess = 0; guess < 10; guess += 1)
      expect((await approveWith(ben, id, wrong)).status).toBe(401)
    const right = phone.get(await challengeOf(ben, id))
    expect(refusalIn(await approveWith(ben, id, right)).error).toBe('RATE_LIMIT_EXCEEDED')
    expect(refusalIn(await ben.approve(id)).error).toBe('RATE_LIMIT_EXCEEDED')
  })

  test('takes either a code or an assertion', async () => {
    await addPasskey(ben, phone)
    const id = await createdBy(ann)
    const assertion = phone.get(await challengeOf(ben, id))
    const both = { totpCode: await ben.code(), assertion }
    const bodies = [{}, both, { assertion: null }, { assertion: {} }, { totpCode: null, assertion }]
    for (const body of bodies) {
      const answer = await ben.ask(`/withdrawals/${id}/approve`, 'POST', body)
      expect(refusalIn(answer)).toMatchObject({ error: 'BAD_REQUEST', statusCode: 400 })
    }
    expect(await desk.read(id)).toMatchObject({ approvers: [ann.userId] })
    const many = { ids: [id], assertion }
    const batch = await ben.ask('/withdrawals/approve', 'POST', many)
    expect(refusalIn(batch).error).toBe('BAD_REQUEST')
  })

  test('is refused if the answer of the authenticator cannot be read', async () => {
    await addPasskey(ben, phone)
    const id = await createdBy(ann)
    const { response, ...rest } = phone.get(await challengeOf(ben, id))
    for (const field of ['clientDataJSON', 'authenticatorData', 'signature'] as const) {
      const assertion = { ...rest, response: { ...response, [field]: 'AAAA' } }
      const { error } = refusalIn(await approveWith(ben, id, assertion))
      expect([field, error]).toEqual([field, 'INVALID_PASSKEY'])
    }
  })

  test('follows the rules of every approval', async () => {
    await addPasskey(ben, phone)
    const id = await createdBy(ben)
    const own = await approveWith(ben, id, phone.get(await challengeOf(ben, id)))
    expect(own.json['withdrawal']).toMatchObject({ approvers: [ben.userId] })
    const released = await createdBy(ann)
    const assertion = phone.get(await challengeOf(ben, released))
    await desk.door.ask(`/withdrawals/${released}`, { method: 'DELETE' })
    const late = await approveWith(ben, released, assertion)
    expect(refusalIn(late).error).toBe('WITHDRAWAL_NOT_PENDING')
    const unknown = await approveWith(ben, NOBODY, assertion)
    expect(refusalIn(unknown).error).toBe('WITHDRAWAL_NOT_FOUND')
    const operator = await desk.signer('operator')
    const options = await operator.ask(`/withdrawals/${id}/passkey-options`, 'GET')
    expect(refusalIn(options)).toMatchObject({ error: 'FORBIDDEN' })
  })
})

describe('a passkey that was changed in the database', () => {
  test.each([
    ['its counter', `counter = counter - 1`],
    ['its key', `public_key = '\\x00'`],
    ['its person', `user_id = :ann`],
  ])('approves nothing: %s', async (_what, change) => {
    const key = new SoftAuthenticator({ counts: true })
    const passkeyId = await addPasskey(ben, key)
    const [id, owner] = [await createdBy(await desk.signer()), change.includes(':ann') ? ann : ben]
    const sql = change.replace(':ann', `'${ann.userId}'`)
    const challenge = Buffer.from(canonicalHash(await desk.read(id))).toString('base64url')
    await desk.tamper(`update passkeys set ${sql} where id = '${passkeyId}'`)
    const answer = await approveWith(owner, id, key.get(challenge))
    expect(refusalIn(answer)).toMatchObject(passkeyRefused('unknown'))
  })

  test('approves nothing: written back after it was removed or used', async () => {
    const key = new SoftAuthenticator({ counts: true })
    const passkeyId = await addPasskey(ben, key)
    const keep = async () => {
      const [row] = await desk.rows(
        `select to_jsonb(p)::text as kept from passkeys p where id = '${passkeyId}'`,
      )
      return `insert into passkeys
              select * from jsonb_populate_record(null::passkeys, '${String(row?.['kept'])}')`
    }
    const before = await keep()
    const [first, second] = [await createdBy(ann), await createdBy(ann)]
    const challenge = await challengeOf(ben, second)
    expect((await approveWith(ben, first, key.get(await challengeOf(ben, first)))).status).toBe(200)
    const after = await keep()
    await desk.tamper(`delete from passkeys where id = '${passkeyId}'; ${before}`)
    const older = await approveWith(ben, second, key.get(challenge))
    expect(refusalIn(older)).toMatchObject(passkeyRefused('unknown'))
    await removePasskey(desk.door, ben, passkeyId)
    await desk.tamper(after)
    const removed = await approveWith(ben, second, key.get(challenge))
    expect(refusalIn(removed)).toMatchObject(passkeyRefused('unknown'))
  })
})

test('an installation without a public URL refuses passkeys and accepts codes', async () => {
  const { settings } = desk.door.deps
  const site = settings.passkeySite
  await addPasskey(ben, phone)
  const id = await createdBy(ann)
  const assertion = phone.get(await challengeOf(ben, id))
  settings.passkeySite = null
  try {
    expect(await passkeysOf(ben)).toMatchObject({ origin: null, passkeys: [{ name: 'Phone' }] })
    const begun = await ben.ask('/auth/passkeys/options', 'POST', { totpCode: await ben.code() })
    const options = await ben.ask(`/withdrawals/${id}/passkey-options`, 'GET')
    for (const answer of [begun, options, await approveWith(ben, id, assertion)])
      expect(refusalIn(answer)).toMatchObject({ error: 'PASSKEYS_NOT_CONFIGURED', statusCode: 422 })
    expect((await ben.approve(id)).status).toBe(200)
  } finally {
    settings.passkeySite = site
  }
})

function assertionChallenge(clientDataJSON: string): string {
  const parsed: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
  return String(Object(parsed)['challenge'])
}
