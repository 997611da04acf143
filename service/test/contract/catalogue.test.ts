import { describe, expect, test } from 'vitest'
import { type Json, ask, query } from './world/ask.ts'
import { personOf, tenantOf, theWorld } from './world/given.ts'
import { expectRefusal } from './world/refusal.ts'
import { Chain, GasWallet, PortfolioEntry, Token, list, object } from './world/shapes.ts'
import { BITCOIN_CHAIN, CHAIN, TAG_CHAIN, TRON_CHAIN } from './world/state.ts'

const MAINNET = [
  'eip155:1',
  'eip155:137',
  'eip155:56',
  'bip122:000000000019d6689c085ae165831e93',
  'tron:0x00000000000000000000000000000000',
  'xrpl:mainnet',
]
const TESTNET = [
  CHAIN,
  'eip155:97',
  'bip122:000000000933ea01ad0ee984209779ba',
  'tron:shasta',
  'xrpl:testnet',
]
const COIN_TYPES: Readonly<Record<string, string>> = {
  eip155: '60',
  bip122: '0',
  tron: '195',
  xrpl: '144',
}

const { apiKey: key } = tenantOf('acme')
const { accessToken: token } = personOf(tenantOf('acme'), 'viewer')

async function rowsOf(path: string, name: string): Promise<Json[]> {
  const { status, json } = await ask(path, { key })
  expect({ path, status }).toEqual({ path, status: 200 })
  return json[name] as Json[]
}

describe('GET /chains', () => {
  test('GET /chains returns the chains of section 2.1 in the shape of section 2.5', async () => {
    const { status, json } = await ask('/chains?enabledOnly=false', { key })
    expect(status).toBe(200)
    expect(object({ chains: list(Chain) })(json, 'body')).toEqual([])
    const chains = json['chains'] as Json[]
    expect(new Set(chains.map(({ id }) => id))).toEqual(new Set([...MAINNET, ...TESTNET]))
    for (const { id, namespace, reference, isTestnet } of chains) {
      expect(`${String(namespace)}:${String(reference)}`).toBe(id)
      expect([id, isTestnet]).toEqual([id, TESTNET.includes(String(id))])
    }
  })

  test('GET /chains returns only enabled chains unless all are requested', async () => {
    const enabled = await rowsOf('/chains', 'chains')
    const on = [BITCOIN_CHAIN, CHAIN, TRON_CHAIN, TAG_CHAIN]
    expect(new Set(enabled.map(({ id }) => id))).toEqual(new Set(on))
    expect(enabled.map(({ enabled: isOn }) => isOn)).toEqual(on.map(() => true))
    expect(await rowsOf('/chains?enabledOnly=true', 'chains')).toEqual(enabled)
    const all = await rowsOf('/chains?enabledOnly=false', 'chains')
    expect(all.filter((chain) => chain['enabled'] === true)).toEqual(enabled)
  })

  test('GET /chains names the families whose withdrawal memo is on-chain', async () => {
    const carries: Record<string, boolean> = {
      eip155: false,
      bip122: false,
      tron: true,
      xrpl: true,
    }
    for (const { id, namespace, properties } of await rowsOf('/chains?enabledOnly=false', 'chains'))
      expect([id, properties]).toMatchObject([id, { carriesMemo: carries[String(namespace)] }])
  })

  test.each(['yes', '1', '', 'TRUE', 'null'])(
    'GET /chains refuses enabledOnly=%j',
    async (enabledOnly) => {
      for (const path of ['/chains', '/tokens'])
        expectRefusal(await ask(`${path}${query({ enabledOnly })}`, { key }), 'BAD_REQUEST')
    },
  )
})

describe('GET /chains/:id', () => {
  test.each([...MAINNET, ...TESTNET])(
    'GET /chains/:id returns %s, plain and escaped',
    async (id) => {
      for (const written of [id, encodeURIComponent(id)]) {
        const { status, json } = await ask(`/chains/${written}`, { token })
        expect({ status, json }).toMatchObject({ status: 200, json: { chain: { id } } })
        expect(object({ chain: Chain })(json, 'body')).toEqual([])
      }
    },
  )

  test.each(['eip155:2', 'solana', 'eip155:01', 'EIP155:1'])(
    'GET /chains/:id returns 404 for %s',
    async (id) => {
      const details = { providedChainId: id, supportedChains: expect.arrayContaining([CHAIN]) }
      expectRefusal(await ask(`/chains/${id}`, { key }), 'INVALID_CHAIN', details)
    },
  )
})

describe('GET /tokens', () => {
  test('GET /tokens returns tokens of known chains in the shape of section 2.6', async () => {
    const { status, json } = await ask('/tokens?enabledOnly=false', { key })
    expect(status).toBe(200)
    expect(object({ tokens: list(Token) })(json, 'body')).toEqual([])
    for (const { id, chainId, address } of json['tokens'] as Json[]) {
      expect(String(id).startsWith(`${String(chainId)}/`)).toBe(true)
      const contract = /\/(?:erc20|trc20):(.*)$/.exec(String(id))?.[1]
      if (contract !== undefined) expect(address).toBe(contract)
    }
  })

  test('GET /tokens names each native currency by its coin type', async () => {
    const ids = (await rowsOf('/tokens?enabledOnly=false', 'tokens')).map(({ id }) => String(id))
    for (const chain of [...MAINNET, ...TESTNET]) {
      const coinType = COIN_TYPES[chain.split(':')[0] ?? '']
      expect(ids).toContain(`${chain}/slip44:${coinType}`)
    }
  })

  test('GET /tokens filters by chain, and omits disabled tokens by default', async () => {
    const { coin, usd, limited } = theWorld().tokens
    const some = await rowsOf(`/tokens${query({ chainId: CHAIN })}`, 'tokens')
    expect(some.map(({ id }) => id)).toEqual(expect.arrayContaining([coin, usd, limited]))
    expect(some.every(({ chainId, enabled }) => chainId === CHAIN && enabled === true)).toBe(true)
    const others = await rowsOf(`/tokens${query({ chainId: 'eip155:1' })}`, 'tokens')
    expect(others).toEqual([])
    const all = `/tokens${query({ chainId: 'eip155:1', enabledOnly: 'false' })}`
    const off = await rowsOf(all, 'tokens')
    expect(off.every(({ chainId, enabled }) => chainId === 'eip155:1' && !enabled)).toBe(true)
  })

  test('GET /tokens returns the limits of a token', async () => {
    const { limited, usd } = theWorld().tokens
    const tokens = await rowsOf('/tokens', 'tokens')
    expect(tokens).toContainEqual(
      expect.objectContaining({
        id: limited,
        minimumAmount: '100',
        properties: expect.objectContaining({ maximumWithdrawalAmount: '5000' }),
      }),
    )
    expect(tokens).toContainEqual(
      expect.objectContaining({
        id: usd,
        properties: expect.objectContaining({ maximumWithdrawalAmount: null }),
      }),
    )
  })

  test('GET /tokens fails for an unknown chain', async () => {
    const answer = await ask('/tokens?chainId=eip155:2', { key })
    expectRefusal(answer, 'INVALID_CHAIN', { providedChainId: 'eip155:2' })
  })
})

describe('the assets of an organization', () => {
  test('GET /gas-station returns wallets of chains with fees from a gas wallet', async () => {
    const { status, json } = await ask('/gas-station', { key })
    expect(status).toBe(200)
    expect(object({ gasWallets: list(GasWallet) })(json, 'body')).toEqual([])
    const wallets = json['gasWallets'] as Json[]
    expect(wallets.map(({ chainId }) => chainId)).toContain(CHAIN)
    expect(wallets.filter(({ chainId }) => /^(bip122|xrpl):/.test(String(chainId)))).toEqual([])
  })

  test('GET /portfolio returns entries by token and account, and filters them', async () => {
    const { status, json } = await ask('/portfolio', { key })
    expect(status).toBe(200)
    expect(object({ portfolio: list(PortfolioEntry) })(json, 'body')).toEqual([])
    const { coin } = theWorld().tokens
    const ofCoin = await rowsOf(`/portfolio${query({ tokenId: coin })}`, 'portfolio')
    expect(ofCoin.map(({ accountType }) => accountType)).toEqual(
      expect.arrayContaining(['settlement', 'gas']),
    )
    expect(ofCoin.every(({ tokenId }) => tokenId === coin)).toBe(true)
    expect(await rowsOf(`/portfolio${query({ chainId: 'eip155:1' })}`, 'portfolio')).toEqual([])
    for (const filter of [{ chainId: 'eip155:2' }, { tokenId: 'nonsense' }, { chainId: '' }])
      expectRefusal(await ask(`/portfolio${query(filter)}`, { key }), 'BAD_REQUEST')
  })
})
