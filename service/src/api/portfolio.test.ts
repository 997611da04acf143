import { GasWallet, PortfolioEntry } from '@sluice/wire'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseHolder } from '../../test/adapters/brands.ts'
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
} from '../../test/support/door.ts'
import { ModelChain } from '../../test/support/model-chain.ts'
import { openOwnAddress } from '../accounts/own-address.ts'
import { openCatalogue } from '../catalogue/find.ts'
import { displayAddress } from '../chains/format-address.ts'
import type { Address } from '../chains/port.ts'
import { CLAIM } from '../ledger/account.ts'
import { post } from '../ledger/post.ts'
import { fundingConfirmed, fundingDetected, swept } from '../ledger/spend-postings.ts'

const CHAIN = toChainId(ETHEREUM)
const COIN = toTokenId(ETHER)

let door: Door
/** The adapter of every chain, as far as it is asked here. */
let node: ReturnType<Door['means']['chains']['get']> = null
let settlement: Address
let gas: Address
beforeAll(async () => {
  door = await openDoor({ chains: { get: () => node } })
  const { orgId } = door.a
  const entry = door.means.catalogue.chain(ETHEREUM)
  if (entry === null) throw new Error('no chain')
  const open = async (purpose: 'settlement' | 'gas') => {
    const given = { keys: door.means, entry, orgId, purpose }
    return (await door.house.database.transaction((tx) => openOwnAddress(tx, given))).address
  }
  settlement = await open('settlement')
  gas = await open('gas')
  await door.house.database.transaction(async (tx) => {
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
  test('I2 gives one entry for each token and account, that add up to what is there', async () => {
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

  test('S09 shows nothing of another organization', async () => {
    const { json } = await door.ask('/portfolio', { key: door.b.key })
    expect(json).toEqual({ portfolio: [] })
  })

  test('shows what is held of a token or on a chain that is no longer configured', async () => {
    const { orgId, key } = await door.found('Gamma')
    await door.house.database.transaction(async (tx) => {
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

  test.each(['chainId=eip155:9', 'tokenId=gold'])('V02 refuses %s', async (query) => {
    const answer = await door.ask(`/portfolio?${query}`)
    expect(refusalIn(answer)).toMatchObject({ error: 'BAD_REQUEST', statusCode: 400 })
  })
})

describe('GET /gas-station', () => {
  test('N01 without a node it tells what the wallet held at our last block', async () => {
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

  test('N01 with a node it tells what the wallet holds now', async () => {
    const head = { height: 12, hash: '0x12' }
    const answers = { tip: async () => ({ head, final: null }), balanceOf: async () => 250n }
    node = { ...new ModelChain(CHAIN, COIN).adapter(), ...answers }
    const { json } = await door.ask('/gas-station')
    expect(json['gasWallets']).toMatchObject([{ balance: '250', spendable: '100', live: true }])
  })
})
