import { randomUUID } from 'node:crypto'
import { tronWallet, xrplWallet } from '@sluice/simulator'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Json, ask, query, until } from './world/ask.ts'
import { tenantOf, theWorld } from './world/given.ts'
import { payXrp } from './world/pay.ts'
import { expectRefusal } from './world/refusal.ts'
import { Account, Withdrawal, object } from './world/shapes.ts'
import { BITCOIN_CHAIN, CHAIN, TAG_CHAIN, TRON_CHAIN } from './world/state.ts'

const org = tenantOf('families')
const key = org.apiKey
const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7'
const COINS: Readonly<Record<string, string>> = {
  [CHAIN]: theWorld().tokens.coin,
  [TRON_CHAIN]: `${TRON_CHAIN}/slip44:195`,
  [BITCOIN_CHAIN]: `${BITCOIN_CHAIN}/slip44:0`,
  [TAG_CHAIN]: `${TAG_CHAIN}/slip44:144`,
}
const XRP = `${TAG_CHAIN}/slip44:144`
const FUNDED = 20_000_000n
/** The reserve, that of eight tickets, and as much as one more takes. */
const KEPT = 1_000_000n + 9n * 200_000n

function withdraw(chainId: string, changes: Json): Promise<Answer> {
  const body = { chainId, tokenId: COINS[chainId], reference: randomUUID(), ...changes }
  return ask('/withdrawals', { key, method: 'POST', body })
}

async function portfolioOf(chainId: string): Promise<Json[]> {
  const { status, json } = await ask(`/portfolio${query({ chainId })}`, { key })
  expect(status).toBe(200)
  return json['portfolio'] as Json[]
}

function untilSettled(chainId: string): Promise<true> {
  return until(`a settlement account on ${chainId}`, async () => {
    const entries = await portfolioOf(chainId)
    return entries.some(({ accountType }) => accountType === 'settlement') ? true : null
  })
}

beforeAll(() => Promise.all(Object.keys(COINS).map(untilSettled)))

describe('POST /withdrawals of an invalid native amount', () => {
  const fee = expect.stringMatching(/^[1-9]\d*$/)
  const tooSmall = (provided: string) => ({ provided, minimum: fee, fee, feeCap: fee })
  const tron = tronWallet('nobody yet').address
  const { tronContract } = theWorld()
  const refuses = { chainId: TRON_CHAIN, reason: 'refuses' }
  const fresh = xrplWallet('nobody yet').address

  test.each<[what: string, chainId: string, request: Json, code: string, details: Json]>([
    [
      'one wei',
      CHAIN,
      { amount: '1', recipient: RECIPIENT },
      'WITHDRAWAL_BELOW_MINIMUM',
      { ...tooSmall('1'), feeCap: '0' },
    ],
    [
      '2 TRX with a memo',
      TRON_CHAIN,
      { amount: '2000000', recipient: tron, memo: 'hello' },
      'WITHDRAWAL_BELOW_MINIMUM',
      tooSmall('2000000'),
    ],
    [
      'TRX to a contract',
      TRON_CHAIN,
      { amount: '50000000', recipient: tronContract },
      'INVALID_RECIPIENT_ADDRESS',
      refuses,
    ],
    [
      'less XRP than the reserve of a new account',
      TAG_CHAIN,
      { amount: '999999', recipient: fresh },
      'WITHDRAWAL_BELOW_MINIMUM',
      { provided: '999999', minimum: '1000000' },
    ],
    [
      'as little bitcoin as nodes pass on',
      BITCOIN_CHAIN,
      { amount: '546', recipient: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' },
      'WITHDRAWAL_BELOW_MINIMUM',
      tooSmall('546'),
    ],
  ])('POST /withdrawals refuses %s', async (_what, chainId, request, code, details) => {
    expectRefusal(await withdraw(chainId, request), code, details)
  })

  test.each<[chainId: string, request: Json]>([
    [CHAIN, { amount: '1000000000000000000', recipient: RECIPIENT }],
    [TRON_CHAIN, { amount: '500000000', recipient: tron, memo: 'hello' }],
    [TAG_CHAIN, { amount: '1000000', recipient: fresh }],
    [BITCOIN_CHAIN, { amount: '5000000', recipient: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' }],
  ])(
    'POST /withdrawals fails only for lack of balance with enough on %s',
    async (chainId, request) => {
      expectRefusal(await withdraw(chainId, request), 'INSUFFICIENT_BALANCE')
    },
  )
})

describe('a base account of XRPL', () => {
  const deposit = () =>
    ask(`/payments/deposit-address${query({ chainId: TAG_CHAIN, tokenId: XRP, userId: 'ann' })}`, {
      key,
    })

  test('a base account without funds has no address: 503 with Retry-After', async () => {
    const base = await until('the need of money', async () => {
      const answer = await deposit()
      expectRefusal(answer, 'SERVICE_UNAVAILABLE', { chainId: TAG_CHAIN })
      expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/)
      const { address } = answer.json['details'] as Json
      return String(answer.json['message']).includes(`Send XRP for the reserve to`) ? address : null
    })
    await payXrp('families', { to: String(base), amount: FUNDED })
    const made = await until('an address', async () => {
      const answer = await deposit()
      if (answer.status === 201) return answer
      expectRefusal(answer, 'SERVICE_UNAVAILABLE', { chainId: TAG_CHAIN })
      return null
    })
    expect(object({ address: Account })(made.json, 'body')).toEqual([])
  })

  test('a waiting withdrawal shows the amount held for fees, and sums add up', async () => {
    const whole = FUNDED - KEPT
    await until('the money', async () => ((await claims()).available === whole ? true : null))
    expect(await claims()).toEqual({ available: whole, reserved: 0n, heldForFees: 0n })
    await ask('/organisation/min-withdrawal-signers', {
      key,
      method: 'PATCH',
      body: { minWithdrawalSigners: 2 },
    })
    const request = { amount: '3000000', recipient: theWorld().tagged, memo: '7' }
    const { status, json } = await withdraw(TAG_CHAIN, request)
    expect({ status, json }).toMatchObject({ status: 201 })
    expect(object({ withdrawal: Withdrawal })(json, 'body')).toEqual([])
    const withdrawal = json['withdrawal'] as Json
    expect(withdrawal).toMatchObject({ status: 'PendingApproval', waitingFor: 'approvals' })
    const { available, reserved, heldForFees } = await claims()
    expect([reserved, heldForFees > 0n]).toEqual([3_000_000n, true])
    expect(available + reserved + heldForFees).toBe(whole)
    const path = `/withdrawals/${String(withdrawal['id'])}`
    expect((await ask(path, { key, method: 'DELETE' })).status).toBe(200)
    expect(await claims()).toEqual({ available: whole, reserved: 0n, heldForFees: 0n })
  })
})

const CLAIMS = [
  ['available', 'reserved', 'heldForFees', 'unconfirmed'],
  ['belowMinimum', 'held', 'unattributed', 'gas'],
].flat()

/** The portfolio of XRP; the claims equal the balances of its accounts. */
async function claims(): Promise<Record<'available' | 'reserved' | 'heldForFees', bigint>> {
  const entries = await portfolioOf(TAG_CHAIN)
  const total = (name: string) =>
    entries.reduce((sum, entry) => sum + BigInt(String(entry[name])), 0n)
  const all = CLAIMS.map(total).reduce((sum, one) => sum + one, 0n)
  expect(all).toBe(total('balance'))
  const [available, reserved, heldForFees] = [
    total('available'),
    total('reserved'),
    total('heldForFees'),
  ]
  return { available, reserved, heldForFees }
}
