import fc from 'fast-check'
import { expect, test } from 'vitest'
import { signCall } from '../../../service/src/signing/messages.ts'
import { IS_SHORT } from '../../../service/test/support/tier.ts'
import { changes, mutate } from '../../test/json-mutations.ts'
import {
  ADMINS,
  HOUR_MS,
  NATIVE,
  pauseOf,
  policyOf,
  signedBy,
  START,
  TIERS,
} from '../../test/policies.ts'
import { FROM, requestOf, signerOf, withdrawalOf } from '../../test/requests.ts'
import { Refused } from '../base.ts'
import { parseCall, signingRequestOf } from '../protocol.ts'
import type { Signer, SigningRequest } from '../request.ts'

const RUNS = IS_SHORT ? 500 : 50_000
const VALID_RUNS = IS_SHORT ? 50 : 10_000
const TIMEOUT_MS = 1_800_000

/** Sends a message as the protocol does. Returns `done`, or the code of the refusal. */
async function send(signer: Signer, call: unknown): Promise<string> {
  try {
    const message = JSON.parse(JSON.stringify({ version: 1, id: 1, call }))
    const asked = parseCall(message).call
    if (asked.call === 'sign') await signer.sign(signingRequestOf(asked))
    if (asked.call === 'order') await signer.order(asked.order)
    return 'done'
  } catch (error) {
    if (error instanceof Refused) return error.code
    throw error
  }
}

/** Changes of a message that must all be refused. Returns how often each code was the answer. */
async function refusalsOf(signer: Signer, message: object, rebuild: (part: unknown) => unknown) {
  const codes = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(changes, async (change) => {
      const changed = mutate(message, change)
      if (changed === null) return
      const code = await send(signer, rebuild(changed))
      expect({ change, code }).not.toEqual({ change, code: 'done' })
      codes.set(code, (codes.get(code) ?? 0) + 1)
    }),
    { numRuns: RUNS },
  )
  return codes
}

/** Two of the three approvals of this amount are worth less than needed. */
const AMOUNT = '4000'
const APPROVERS = ['ann', 'bob', 'cid'] as const

test(
  'a request with any change of its payment, approvals, organization or chain is not signed',
  async () => {
    const { signer, keys } = signerOf()
    await signer.order(signedBy(policyOf()))
    // The sender and the bytes stay: other own senders, nonces and fees are as good.
    const { payment, orgId, chainId, ...rest } = Object(
      signCall(requestOf(withdrawalOf({ amount: AMOUNT, memo: 'note' }, APPROVERS))),
    )
    const message = { payment, orgId, chainId }
    const codes = await refusalsOf(signer, message, (part) => ({ ...rest, ...Object(part) }))
    expect(keys.uses).toBe(0)
    const expected = ['approvals-missing', 'malformed', 'other-payment']
    expect([...codes.keys()]).toEqual(expect.arrayContaining(expected))
    expect(codes.get('approvals-missing')).toBeGreaterThan(RUNS / 5)
    expect(await send(signer, { ...rest, ...message })).toBe('done')
    expect(keys.uses).toBe(1)
  },
  TIMEOUT_MS,
)

test.each([
  ['policy', signedBy(policyOf())],
  ['resume', signedBy(pauseOf(2, false))],
  ['pause', signedBy(pauseOf(2, true), ADMINS.slice(0, 1))],
])(
  'a %s with any change is not taken',
  async (_what, order) => {
    const { signer, history } = signerOf()
    await signer.order(signedBy(pauseOf(1, true)))
    const codes = await refusalsOf(signer, order, (part) => ({ call: 'order', order: part }))
    expect([history.policy.versions, history.policy.pause]).toEqual([[], pauseOf(1, true)])
    expect([...codes.keys()]).toEqual(expect.arrayContaining(['malformed', 'quorum-missing']))
    expect(await send(signer, { call: 'order', order })).toBe('done')
  },
  TIMEOUT_MS,
)

test('a payment that needs all its approvals is not signed under a changed policy', async () => {
  const tiers = TIERS.map((tier, index) => (index === 2 ? { ...tier, each: AMOUNT } : tier))
  const exact = policyOf({
    limits: [{ orgId: 'org', tokenId: NATIVE, tiers }],
    people: policyOf().people.slice(0, 3),
  })
  const request = requestOf(withdrawalOf({ amount: AMOUNT }, APPROVERS))
  const less: ((policy: typeof exact) => void)[] = [
    ({ people }) => people.forEach((person) => (person.isDisabled = person.id === 'bob')),
    ({ people }) => people.forEach((person) => (person.role = 'operator')),
    ({ people }) => people.forEach((person) => (person.orgId = 'other')),
    ({ people }) => people.forEach(({ credentials }) => credentials.pop()),
    ({ people }) => people.forEach(({ credentials: [one] }) => one && (one.isRevoked = true)),
    ({ people }) => people.pop(),
    ({ passkeys }) => (passkeys.rpId = 'example.com'),
    ({ passkeys }) => passkeys.origins.shift(),
    ({ limits }) =>
      limits.forEach(
        ({ tiers: all }) =>
          (all[2] = { ...TIERS[1], approvals: 4, each: AMOUNT, hour: AMOUNT, day: AMOUNT }),
      ),
    ({ limits }) => limits.forEach(({ tiers: all }) => all.pop()),
    ({ limits }) => limits.pop(),
    ({ books }) => books.push({ orgId: 'org', recipients: [] }),
    (policy) => (policy.approvalHours = 0),
  ]
  for (const change of [null, ...less]) {
    const policy: typeof exact = JSON.parse(JSON.stringify(exact))
    change?.(policy)
    const { signer, clock, keys } = signerOf()
    await signer.order(signedBy(policy))
    clock.now += 1
    const code = await send(signer, signCall(request))
    expect([String(change), code === 'done', keys.uses]).toEqual([
      String(change),
      change === null,
      change === null ? 1 : 0,
    ])
  }
})

test(
  'every valid request is signed',
  async () => {
    const high = '1000000000000'
    const tiers = TIERS.map((tier) => ({ ...tier, hour: high, day: high }))
    const { signer, keys, clock } = signerOf()
    await signer.order(signedBy(policyOf({ limits: [{ orgId: 'org', tokenId: NATIVE, tiers }] })))
    let nonce = 0
    const orders = fc.shuffledSubarray(['ann', 'bob', 'bobCli', 'cid', 'eve'] as const)
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5_000 }),
        orders,
        fc.nat(HOUR_MS),
        async (amount, by, ago) => {
          nonce += 1
          clock.now += 1
          const needed = amount > 1_000 ? 3 : amount > 100 ? 2 : 1
          const people =
            new Set(by.map((name) => name.slice(0, 3))).size - Number(by.includes('eve'))
          const createdAt = new Date(START - ago).toISOString()
          const changed = { id: `w${nonce}`, amount: `${amount}`, createdAt }
          const request: SigningRequest = requestOf(withdrawalOf(changed, by), nonce)
          const code = await send(signer, signCall({ ...request, from: FROM }))
          expect(code).toBe(people >= needed ? 'done' : 'approvals-missing')
        },
      ),
      { numRuns: VALID_RUNS },
    )
    expect(keys.uses).toBeGreaterThan(VALID_RUNS / 10)
  },
  TIMEOUT_MS,
)
