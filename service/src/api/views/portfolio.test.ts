import { GasWallet, PortfolioEntry } from '@sluice/wire'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseHolder } from '../../../test/adapters/brands.ts'
import {
  type Door,
  ETHER,
  ETHEREUM,
  openDoor,
  REGTEST,
  REGTEST_COIN,
  refusalIn,
  toChainId,
  toTokenId,
  USDT,
} from '../../../test/support/door.ts'
import { ModelChain } from '../../../test/support/model-chain.ts'
import { openOwnAddress } from '../../accounts/own-address.ts'
import { openCatalogue } from '../../catalogue/find.ts'
import { displayAddress } from '../../chains/format-address.ts'
import type { Address } from '../../chains/port.ts'
import { CLAIM } from '../../ledger/account.ts'
import { post } from '../../ledger/post.ts'
import { feePaid, swept, withdrawalPaid } from '../../ledger/spend-postings.ts'
import { fundingConfirmed, fundingDetected } from '../../../test/support/funding-postings.ts'
import { selectApiUserId } from '../../orgs/user-rows.ts'
import type { Tx } from '../../store/database.ts'
import { moveToCancelled, cancelWithdrawal } from '../../withdrawals/approve/cancel.ts'
import { createWithdrawal } from '../../withdrawals/request/create.ts'
import { failWithdrawal } from '../../withdrawals/settle/fail.ts'
import { heldFeeFor } from '../../withdrawals/request/held-fee.ts'
import { releaseFee } from '../../withdrawals/reserve.ts'
import { moveWithdrawal, noteOutcome } from '../../withdrawals/rows.ts'
import { MOVES } from '../../withdrawals/withdrawal.ts'
import { readPortfolio } from './portfolio.ts'

const CHAIN = toChainId(ETHEREUM)
const COIN = toTokenId(ETHER)

let door: Door
/** The adapter of every chain, as far as it is asked here. */
let node: ReturnType<Door['deps']['chains']['get']> = null
let settlement: Address
let gas: Address
beforeAll(async () => {
  door = await openDoor({ chains: { get: () => node } })
  const { orgId } = door.a
  const entry = door.deps.catalogue.chain(ETHEREUM)
  if (entry === null) throw new Error('no chain')
  const open = async (purpose: 'settlement' | 'gas') => {
    const given = { keys: door.deps.accountKeys, entry, orgId, purpose }
    return (await door.harness.database.transaction((tx) => openOwnAddress(tx, given))).address
  }
  settlement = await open('settlement')
  gas = await open('gas')
  await door.harness.database.transaction(async (tx) => {
    const moved = { orgId, chainId: CHAIN, tokenId: COIN, amount: 100n, blockHeight: 9 }
    const funding = { ...moved, referenceId: tx.ids.next() }
    const elsewhere = parseHolder(CHAIN, `0x${'5'.repeat(40)}`)
    await post(tx, [
      fundingDetected(funding, { kind: 'gas', address: gas }),
      fundingConfirmed(funding, CLAIM.gas),
      fundingDetected(funding, { kind: 'deposits', address: elsewhere }),
      fundingConfirmed(funding, CLAIM.available),
      swept({ ...funding, amount: 30n }, { from: elsewhere, to: settlement }),
      fundingDetected({ ...funding, amount: 7n }, { kind: 'deposits', address: elsewhere }),
    ])
  })
})
afterAll(() => door.close())

describe('GET /portfolio', () => {
  test('returns one entry for each token and account, which add up to the total [I2]', async () => {
    const { status, json } = await door.ask(`/portfolio?tokenId=${ETHER}`)
    expect(status).toBe(200)
    const portfolio = json['portfolio']
    if (!Array.isArray(portfolio)) throw new Error('no list')
    for (const entry of portfolio) expect(Value.Check(PortfolioEntry, entry)).toBe(true)
    expect(portfolio).toMatchObject([
      {
        accountType: 'settlement',
        accountId: displayAddress(CHAIN, settlement),
        balance: '30',
        available: '100',
        reserved: '0',
        unconfirmed: '7',
        unswept: '77',
      },
      { accountType: 'gas', accountId: displayAddress(CHAIN, gas), balance: '100' },
      { accountType: 'deposits', accountId: '', balance: '77', unswept: '77' },
    ])
  })

  test('shows no data of another organization [S09]', async () => {
    const { json } = await door.ask('/portfolio', { key: door.b.key })
    expect(json).toEqual({ portfolio: [] })
  })

  test('shows balances of tokens and chains that are no longer configured', async () => {
    const { orgId, key } = await door.found('Gamma')
    await door.harness.database.transaction(async (tx) => {
      const held = { orgId, amount: 5n, blockHeight: 9, referenceId: tx.ids.next() }
      const token = { ...held, chainId: CHAIN, tokenId: toTokenId(USDT) }
      const coin = { ...held, chainId: toChainId(REGTEST), tokenId: toTokenId(REGTEST_COIN) }
      await post(tx, [
        fundingDetected(coin, { kind: 'deposits', address: parseHolder(CHAIN, settlement) }),
        fundingDetected(token, { kind: 'deposits', address: parseHolder(CHAIN, settlement) }),
      ])
    })
    const catalogue = openCatalogue({ chains: [{ id: CHAIN, catalogueTokens: false }], tokens: [] })
    const { status, json } = await door.askWith({ catalogue }, '/portfolio', { key })
    expect(status).toBe(200)
    const pairs = [
      { id: USDT, symbol: 'USDT', decimals: 6 },
      { id: REGTEST_COIN, symbol: 'tBTC', decimals: 8 },
    ].flatMap((Token) => [
      { tokenId: Token.id, accountType: 'settlement', unconfirmed: '5', unswept: '5' },
      { tokenId: Token.id, accountType: 'deposits', balance: '5', Token },
    ])
    expect(json['portfolio']).toMatchObject(pairs)
    const ofToken = await door.askWith({ catalogue }, `/portfolio?tokenId=${USDT}`, { key })
    expect(ofToken.json['portfolio']).toMatchObject(pairs.slice(0, 2))
    const known = await door.ask(`/portfolio?chainId=${CHAIN}`, { key })
    expect(known.json['portfolio']).toMatchObject([{ Token: { symbol: 'USDT' } }, {}])
  })

  test.each(['chainId=eip155:9', 'tokenId=gold'])('refuses %s [V02]', async (query) => {
    const answer = await door.ask(`/portfolio?${query}`)
    expect(refusalIn(answer)).toMatchObject({ error: 'BAD_REQUEST', statusCode: 400 })
  })
})

describe('GET /gas-station', () => {
  test('returns the balance at our last block when no node answers [N01]', async () => {
    const { status, json } = await door.ask('/gas-station')
    expect(status).toBe(200)
    expect(json['gasWallets']).toMatchObject([
      {
        chainId: ETHEREUM,
        address: displayAddress(CHAIN, gas),
        balance: '100',
        spendable: '100',
        live: false,
        Chain: { name: 'Ethereum', properties: { nativeCurrency: 'ETH', decimals: 18 } },
      },
    ])
    expect(Value.Check(GasWallet, (json['gasWallets'] as unknown[])[0])).toBe(true)
  })

  test('returns the current balance when a node answers [N01]', async () => {
    const head = { height: 12, hash: '0x12' }
    const answers = { tip: async () => ({ head, final: null }), balanceOf: async () => 250n }
    node = { ...new ModelChain(CHAIN, COIN).adapter(), ...answers }
    const { json } = await door.ask('/gas-station')
    expect(json['gasWallets']).toMatchObject([{ balance: '250', spendable: '100', live: true }])
  })
})

/** A chain of each family, its native currency, and a foreign address. */
const FAMILIES: [chain: string, native: string, recipient: string][] = [
  ['eip155:1', 'slip44:60', '0x52908400098527886E0F7030069857D2E4169EE7'],
  [
    'bip122:000000000019d6689c085ae165831e93',
    'slip44:0',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  ],
  ['tron:0x00000000000000000000000000000000', 'slip44:195', 'TVDGpn4hCSzJ5nkHPLetk8KQBtwaTppnkr'],
  ['xrpl:mainnet', 'slip44:144', 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH'],
]
const OTHERS = ['unconfirmed', 'belowMinimum', 'held', 'unattributed'] as const
const SUMMED = [...OTHERS, 'available', 'reserved', 'heldForFees', 'gas', 'balance'] as const
const ENDS = ['complete', 'fail', 'revert', 'cancel', 'reject'] as const

interface Life {
  amount: bigint
  /** The fee cap of a plain transfer at creation, and the fee that the block takes. */
  fee: bigint
  paid: bigint
  end: (typeof ENDS)[number]
}

describe.each(FAMILIES)('the portfolio of %s', (chain, native, recipient) => {
  const chainId = toChainId(chain)
  const tokenId = toTokenId(`${chain}/${native}`)
  const catalogue = openCatalogue({ chains: [{ id: chainId }], tokens: [] })
  const entry = catalogue.chain(chain)
  const offersOf = async () => ({ chain: () => true, token: () => true, isVerifying: () => false })

  /** An organization with a settlement balance and gas. */
  async function owner() {
    const { orgId } = await door.found('Life')
    return door.harness.database.transaction(async (tx) => {
      if (entry === null) throw new Error('no such chain')
      const keys = { keys: door.deps.accountKeys, entry, orgId }
      const { address } = await openOwnAddress(tx, { ...keys, purpose: 'settlement' })
      const moved = { orgId, chainId, tokenId, blockHeight: 1, referenceId: tx.ids.next() }
      const own = { ...moved, amount: 10_000n }
      const fees = { ...moved, amount: 2_000n, referenceId: tx.ids.next() }
      const at = { kind: 'settlement', address } as const
      await post(tx, [
        fundingDetected(own, at),
        fundingConfirmed(own, CLAIM.available),
        fundingDetected(fees, at),
        fundingConfirmed(fees, CLAIM.gas),
      ])
      return { orgId, address, initiator: await selectApiUserId(tx, orgId) }
    })
  }

  async function entriesFor(orgId: string): Promise<PortfolioEntry[]> {
    return door.harness.database.transaction((tx) =>
      readPortfolio(tx, { catalogue, serviceKey: door.deps.serviceKey, orgId }),
    )
  }

  /** Claims and balances of the native currency. */
  async function look(orgId: string) {
    const entries = await entriesFor(orgId)
    const total = (field: (typeof SUMMED)[number]) =>
      entries.reduce((sum, one) => sum + BigInt(one[field]), 0n)
    const claims = {
      available: total('available'),
      reserved: total('reserved'),
      heldForFees: total('heldForFees'),
      gas: total('gas'),
    }
    const owned = OTHERS.reduce((sum, one) => sum + total(one), 0n)
    return {
      ...claims,
      owned: Object.values(claims).reduce((a, b) => a + b, owned),
      balance: total('balance'),
    }
  }

  async function expectSums(orgId: string) {
    const seen = await look(orgId)
    expect(seen.owned).toBe(seen.balance)
    return seen
  }

  /** Creates a withdrawal as the API user. */
  function request(
    orgId: string,
    { amount, fee, initiator }: { amount: bigint; fee: bigint; initiator: string },
  ) {
    return door.harness.database.transaction((tx) =>
      createWithdrawal(
        tx,
        door.deps.serviceKey,
        {
          catalogue,
          orgId,
          initiator: { id: initiator, role: 'api' },
          request: {
            chainId: chain,
            tokenId: `${chain}/${native}`,
            amount: String(amount),
            recipient,
            reference: tx.ids.next(),
            memo: null,
            internalNote: null,
            externalUserId: null,
          },
          fee,
        },
        offersOf,
      ),
    )
  }

  test('adds up at every step of a withdrawal', async () => {
    const lives: fc.Arbitrary<Life> = fc.record({
      amount: fc.bigInt({ min: 1_000n, max: 3_000n }),
      fee: fc.bigInt({ min: 1n, max: 50n }),
      paid: fc.bigInt({ min: 1n, max: 60n }),
      end: fc.constantFrom(...ENDS),
    })
    await fc.assert(
      fc.asyncProperty(lives, async (life) => {
        const { orgId, address, initiator } = await owner()
        const before = await expectSums(orgId)
        const step = <T>(work: (tx: Tx) => Promise<T>) => door.harness.database.transaction(work)
        const { id } = await request(orgId, { ...life, initiator })
        const held = entry === null ? 0n : heldFeeFor(entry, life.fee)
        const created = await expectSums(orgId)
        expect(created).toMatchObject({
          available: before.available - life.amount - held,
          reserved: life.amount,
          heldForFees: held,
          gas: before.gas,
          balance: before.balance,
        })
        const over = { catalogue, orgId, userId: initiator, id }
        const ends = {
          cancel: () => step((tx) => cancelWithdrawal(tx, door.deps.serviceKey, over)),
          reject: () =>
            step((tx) =>
              moveToCancelled(tx, door.deps.serviceKey, { ...over, move: MOVES.cancel }),
            ),
          fail: () => step((tx) => failWithdrawal(tx, { ...over, code: 'INSUFFICIENT_BALANCE' })),
          complete: () => settle(true),
          revert: () => settle(false),
        }
        const settle = async (succeeded: boolean) => {
          await step((tx) => moveWithdrawal(tx, { orgId, id, move: MOVES.process }))
          expect(await expectSums(orgId)).toEqual(created)
          const moved = { orgId, chainId, tokenId, blockHeight: 2, referenceId: id }
          await step((tx) =>
            post(tx, [
              ...(succeeded ? [withdrawalPaid({ ...moved, amount: life.amount }, address)] : []),
              feePaid(
                { ...moved, amount: life.paid, referenceId: tx.ids.next() },
                { kind: 'settlement', address },
              ),
            ]),
          )
          await expectSums(orgId)
          const ended = { orgId, id, fee: life.paid }
          if (!succeeded)
            return step((tx) => failWithdrawal(tx, { ...ended, catalogue, code: 'REVERTED' }))
          return step(async (tx) => {
            await moveWithdrawal(tx, { orgId, id, move: MOVES.complete })
            const withdrawal = await noteOutcome(tx, ended)
            await releaseFee(tx, { catalogue, withdrawal })
          })
        }
        await ends[life.end]()
        const after = await expectSums(orgId)
        expect(after).toMatchObject({ reserved: 0n, heldForFees: 0n })
      }),
      { numRuns: 8 },
    )
  })
})
