import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../service/src/base/clock.ts'
import { RemoteSigner } from '../../../service/src/signing/remote-signer.ts'
import {
  ADMINS,
  DAY_MS,
  KEYS,
  NATIVE,
  pauseOf,
  policyOf,
  signedBy,
  START,
} from '../../test/policies.ts'
import { bodyOf, FROM, PathKeys, requestOf, signerOf, withdrawalOf } from '../../test/requests.ts'
import { assertionOf } from '../../test/approvals.ts'
import { Refused } from '../base.ts'
import { addressOf } from '../decode/address.ts'
import { History } from '../history.ts'
import type { Signer, SigningRequest } from '../request.ts'
import { serveSigner } from '../serve.ts'
import { FileStore } from '../store.ts'

/** `signed`, or the code of the refusal. */
async function ask(signer: Signer, request: SigningRequest): Promise<string> {
  return signer.sign(request).then(
    () => 'signed',
    (error: unknown) => {
      if (error instanceof Refused) return error.code
      throw error
    },
  )
}
const TOKEN = { orgId: 'org', tokenId: NATIVE }
const paid = (history: History) => history.policy.spent(TOKEN, 9, 0)
const inward = (): SigningRequest => {
  const to = { ...FROM, index: 1 }
  const address = addressOf('eip155:11155111', new PathKeys().publicKey(to))
  const body = bodyOf(address, 5n, 3)
  return { ...requestOf(withdrawalOf()), payment: { kind: 'inward', id: 'sweep', to }, body }
}

describe('a signer without a policy', () => {
  test('pays no withdrawal if it is closed, and moves own money', async () => {
    const { signer, keys } = signerOf()
    expect(await ask(signer, requestOf(withdrawalOf()))).toBe('no-policy')
    expect(keys.uses).toBe(0)
    expect(await ask(signer, inward())).toBe('signed')
  })

  test('pays without approvals if it is open, until it has a policy', async () => {
    const { signer, clock } = signerOf({ withoutPolicy: 'open' })
    expect(await ask(signer, requestOf(withdrawalOf({}, [])))).toBe('signed')
    await signer.order(signedBy(policyOf()))
    const next = withdrawalOf({ id: 'two' }, [])
    expect(await ask(signer, requestOf(next))).toBe('approvals-missing')
    clock.now -= DAY_MS
    expect(await ask(signer, requestOf(next))).not.toBe('signed')
  })
})

describe('a signer with a policy', () => {
  test('pays with approvals, and asks for them once', async () => {
    const { signer, keys, history } = signerOf()
    expect(await signer.order(signedBy(policyOf()))).toBe(new Date(START).toISOString())
    expect(await ask(signer, requestOf(withdrawalOf({}, ['ann'])))).toBe('approvals-missing')
    expect([keys.uses, paid(history)]).toEqual([0, 0n])
    expect(await ask(signer, requestOf(withdrawalOf()))).toBe('signed')
    const bare = withdrawalOf({}, [])
    expect(await ask(signer, requestOf(bare))).toBe('signed')
    expect(await ask(signer, requestOf(bare, 7, 2n))).toBe('signed')
    expect(await ask(signer, requestOf(bare, 8))).toBe('signed-elsewhere')
    expect([keys.uses, paid(history)]).toEqual([3, 1_000n])
  })

  test('pays the last amount under a limit once when several are asked for at once', async () => {
    const { signer } = signerOf()
    await signer.order(signedBy(policyOf()))
    const all = ['one', 'two', 'three'].map((id) =>
      ask(signer, requestOf(withdrawalOf({ id, amount: '5000' }, ['ann', 'bob', 'cid']))),
    )
    expect((await Promise.all(all)).sort()).toEqual(['cap-exceeded', 'cap-exceeded', 'signed'])
  })

  test('follows a looser policy after 24 hours', async () => {
    const { signer, clock } = signerOf()
    await signer.order(signedBy(policyOf()))
    const looser = policyOf({
      version: 2,
      limits: [{ ...TOKEN, tiers: [{ approvals: 0, each: '9999', hour: '9999', day: '9999' }] }],
    })
    const activeAt = await signer.order(signedBy(looser))
    expect(activeAt).toBe(new Date(START + DAY_MS).toISOString())
    const request = requestOf(withdrawalOf({}, []))
    clock.now = START + DAY_MS - 1
    expect(await ask(signer, request)).toBe('approvals-missing')
    clock.now += 1
    expect(await ask(signer, request)).toBe('signed')
  })

  test('signs nothing while it is paused', async () => {
    const { signer, keys } = signerOf()
    await signer.order(signedBy(policyOf()))
    const known = requestOf(withdrawalOf())
    await signer.sign(known)
    await signer.order(signedBy(pauseOf(1, true), ADMINS.slice(2)))
    const others = [known, requestOf(withdrawalOf(), 7, 2n), inward()]
    const next = requestOf(withdrawalOf({ id: 'two', amount: '400' }), 8)
    for (const one of [...others, next]) expect(await ask(signer, one)).toBe('paused')
    expect(keys.uses).toBe(1)
    const resume = pauseOf(2, false)
    const alone = signer.order(signedBy(resume, ADMINS.slice(2)))
    await expect(alone).rejects.toMatchObject({ code: 'quorum-missing' })
    await signer.order(signedBy(resume))
    for (const one of [...others, next]) expect(await ask(signer, one)).toBe('signed')
  })

  test('keeps a one-time code within the lowest tier', async () => {
    const { signer } = signerOf()
    await signer.order(signedBy(policyOf()))
    const attested = (id: string, amount: string) =>
      ask(
        signer,
        requestOf({
          ...withdrawalOf({ id, amount }),
          approvals: [{ kind: 'attested', personId: 'ann' }],
        }),
      )
    expect(await attested('one', '101')).toBe('approvals-missing')
    expect(await attested('one', '100')).toBe('signed')
    expect(await attested('two', '100')).toBe('approvals-missing')
    expect(await attested('two', '50')).toBe('signed')
  })
})

describe('the store of a signer with a policy', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-signer-'))
  })
  const opened: FileStore[] = []
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
    await rm(folder, { recursive: true })
  })

  const open = async () => {
    const history = new History()
    const store = await FileStore.open(join(folder, 'signer.log'), history)
    opened.push(store)
    return signerOf({ history, store })
  }

  test('keeps policies, sums and pauses, which all of its signers follow', async () => {
    const [first, second] = [await open(), await open()]
    const books = [{ orgId: 'x', recipients: [{ chainId: 'c', address: 'a', memo: null }] }]
    await first.signer.order(signedBy(policyOf({ books })))
    await first.signer.order(signedBy(policyOf({ version: 2, approvalHours: 99 })))
    await second.signer.sign(requestOf(withdrawalOf()))
    await second.signer.order(signedBy(pauseOf(1, true), ADMINS.slice(0, 1)))
    expect(await ask(first.signer, inward())).toBe('paused')
    await first.signer.order(signedBy(pauseOf(2, false)))
    const third = await open()
    const { policy } = third.history
    expect(policy.versions).toEqual(first.history.policy.versions)
    expect(policy.versions.map(({ activeAt }) => activeAt)).toEqual([START, START + DAY_MS])
    expect([...(policy.versions[0]?.since.values() ?? [])]).toEqual([START])
    expect([policy.pause?.version, paid(third.history)]).toEqual([2, 1_000n])
    const large = withdrawalOf({ id: 'two', amount: '5001' }, ['ann', 'bob', 'cid'])
    expect(await ask(third.signer, requestOf(large))).toBe('cap-exceeded')
  })
})

test('a signer in another process takes orders and approvals', async () => {
  const { signer } = signerOf()
  const [asked, answered] = [new PassThrough(), new PassThrough()]
  void serveSigner(signer, { input: asked, output: answered }, (error) => expect(error).toBeNull())
  const connect = async () => ({ input: answered, output: asked })
  const remote = new RemoteSigner(connect, 10_000, systemClock)
  expect(await ask(remote, requestOf(withdrawalOf()))).toBe('no-policy')
  expect(await remote.order(signedBy(policyOf()))).toBe(new Date(START).toISOString())
  await expect(remote.order(signedBy(policyOf()))).rejects.toMatchObject({ code: 'stale-order' })
  const all = { ...withdrawalOf(), amount: '100', approvals: [] }
  expect(await ask(remote, requestOf(all))).toBe('approvals-missing')
  expect(await ask(remote, requestOf(withdrawalOf()))).toBe('signed')
  const attested = withdrawalOf({ id: 'two', amount: '1' }, [])
  const said = { ...attested, approvals: [{ kind: 'attested', personId: 'bob' } as const] }
  expect(await ask(remote, requestOf(said))).toBe('signed')
  remote.close()
})

test('the largest batch with two approvals each fits in a message', async () => {
  const { signer } = signerOf()
  const [asked, answered] = [new PassThrough(), new PassThrough()]
  void serveSigner(signer, { input: asked, output: answered }, (error) => expect(error).toBeNull())
  const connect = async () => ({ input: answered, output: asked })
  const remote = new RemoteSigner(connect, 10_000, systemClock)
  const hash = 'ab'.repeat(32)
  const approvals = [KEYS.ann, KEYS.bob].map((key) => assertionOf(key, hash))
  const withdrawals = Array.from({ length: 500 }, (_, id) => ({
    ...withdrawalOf({ id: `w${id}` }, []),
    reference: 'r'.repeat(128),
    approvals,
  }))
  const request = requestOf(withdrawalOf())
  const batch: SigningRequest = { ...request, payment: { kind: 'withdrawals', withdrawals } }
  expect(await ask(remote, batch)).toBe('other-payment')
  remote.close()
})
