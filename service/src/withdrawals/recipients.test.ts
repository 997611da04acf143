import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { corpus, entriesOf } from '../../test/contract/world/corpora.ts'
import { type Door, ETHEREUM, openDoor, refusalIn, toChainId } from '../../test/support/door.ts'
import { openOwnAddress } from '../accounts/own-address.ts'
import { openCatalogue } from '../catalogue/find.ts'
import { hasTags, parseAddress, taggedAddress } from '../chains/format-address.ts'

const BITCOIN = 'bip122:000000000019d6689c085ae165831e93'
const BITCOIN_TESTNET = 'bip122:000000000933ea01ad0ee984209779ba'
const TRON = 'tron:0x00000000000000000000000000000000'
const XRPL = 'xrpl:mainnet'
const XRPL_TESTNET = 'xrpl:testnet'
const SEPOLIA = 'eip155:11155111'
const SHASTA = 'tron:shasta'
const CHAINS = [ETHEREUM, SEPOLIA, BITCOIN, BITCOIN_TESTNET, TRON, SHASTA, XRPL, XRPL_TESTNET]

/** Addresses without a key, or with a public key known to all: burnt (BIP-141, xrpl.org). */
const LOST: readonly [failure: string, chainId: string, addresses: readonly string[]][] = [
  ['V02', ETHEREUM, corpus('evm-addresses')['refused'] ?? []],
  ['V02', SEPOLIA, ['0x0000000000000000000000000000000000000000']],
  ['V03', BITCOIN, corpus('bitcoin-addresses')['refused'] ?? []],
  ['V03', BITCOIN_TESTNET, ['tb1zw508d6qejxtdg4y5r3zarvaryv5p829g', 'tb1pfees9rn5nz']],
  ['V04', TRON, corpus('tron-addresses')['refused'] ?? []],
  ['V04', SHASTA, ['T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb']],
  ['V05', XRPL, corpus('xrpl-addresses')['refused'] ?? []],
  ['V05', XRPL, ['rrrrrrrrrrrrrrrrrNAMEtxvNvQ', 'rrrrrrrrrrrrrrrrrrrn5RM1rHd']],
  ['V05', XRPL_TESTNET, ['rrrrrrrrrrrrrrrrrrrrrhoLvTp', 'rrrrrrrrrrrrrrrrrrrrBZbvji']],
]

const WRITTEN = [
  ['V02', 'evm-addresses', ETHEREUM],
  ['V03', 'bitcoin-addresses', BITCOIN],
  ['V04', 'tron-addresses', TRON],
  ['V05', 'xrpl-addresses', XRPL],
] as const

const OWN = [
  ['V02', ETHEREUM, 'settlement'],
  ['V02', ETHEREUM, 'gas'],
  ['V02', SEPOLIA, 'settlement'],
  ['V02', SEPOLIA, 'gas'],
  ['V03', BITCOIN, 'settlement'],
  ['V03', BITCOIN_TESTNET, 'settlement'],
  ['V04', TRON, 'settlement'],
  ['V04', TRON, 'gas'],
  ['V04', SHASTA, 'settlement'],
  ['V04', SHASTA, 'gas'],
  ['V05', XRPL, 'settlement'],
  ['V05', XRPL_TESTNET, 'settlement'],
] as const

let door: Door
let references = 0
beforeAll(async () => {
  const chains = CHAINS.map((id) => ({ id: toChainId(id) }))
  door = await openDoor({ catalogue: openCatalogue({ chains, tokens: [] }) })
})
afterAll(() => door.close())

describe('a withdrawal is refused to', () => {
  test.each(LOST)(
    '%s an unspendable or anyone-can-spend address on %s',
    async (_at, chainId, lost) => {
      expect(lost.length).toBeGreaterThan(0)
      for (const recipient of lost) await expectRefused({ chainId, recipient, reason: 'zero' })
    },
  )

  test('an X-address of an unspendable address [V05]', async () => {
    for (const chainId of [XRPL, XRPL_TESTNET]) {
      const network = { id: toChainId(chainId), isTestnet: chainId === XRPL_TESTNET }
      for (const lost of corpus('xrpl-addresses')['refused'] ?? []) {
        const address = parseAddress(network.id, lost)
        if (address === null) throw new Error(`${lost} is no address`)
        const recipient = taggedAddress(network, { address, tag: 5 }) ?? ''
        await expectRefused({ chainId, recipient, reason: 'zero' })
      }
    }
  })

  test.each(WRITTEN)('%s a malformed address of the corpus %s', async (_at, name, chainId) => {
    for (const recipient of entriesOf(name, 'malformed'))
      await expectRefused({ chainId, recipient, reason: 'malformed' })
  })

  test.each(OWN)(
    '%s an own address for every organization: %s, %s',
    async (_at, chainId, purpose) => {
      const { harness, deps, a, b } = door
      const entry = deps.catalogue.chain(chainId)
      if (entry === null) throw new Error('the chain is not there')
      const given = { keys: deps.accountKeys, entry, orgId: a.orgId, purpose }
      const { address } = await harness.database.transaction((tx) => openOwnAddress(tx, given))
      const tagged = [null, 5, 100_000].map((tag) => taggedAddress(entry, { address, tag }))
      const written = [address, ...tagged.filter((one) => one !== null)]
      expect(written).toHaveLength(hasTags(entry.id) ? 4 : 1)
      for (const recipient of written)
        for (const { key } of [a, b])
          await expectRefused({ chainId, recipient, reason: 'own', key })
    },
  )

  test('accepts every other recipient, lacking only the balance [V02 V03 V04 V05]', async () => {
    const sound = [
      [ETHEREUM, '0x52908400098527886E0F7030069857D2E4169EE7'],
      [BITCOIN, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
      [BITCOIN_TESTNET, 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
      [TRON, 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'],
      [XRPL, 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe'],
    ] as const
    for (const [chainId, recipient] of sound) {
      const { error } = refusalIn(await withdraw({ chainId, recipient }))
      expect([chainId, error]).toEqual([chainId, 'INSUFFICIENT_BALANCE'])
    }
  })
})

/** The refusal names why, and does not repeat what may be a secret. */
async function expectRefused(given: {
  chainId: string
  recipient: string
  reason: string
  key?: string
}): Promise<void> {
  const { chainId, recipient, reason } = given
  const { error, statusCode, details } = refusalIn(await withdraw(given))
  expect({ recipient, error, statusCode, details }).toMatchObject({
    recipient,
    error: 'INVALID_RECIPIENT_ADDRESS',
    statusCode: 422,
    details: { chainId, reason },
  })
}

function withdraw(given: { chainId: string; recipient: string; key?: string }) {
  const { chainId, recipient, key = door.a.key } = given
  references += 1
  const coin = door.deps.catalogue.nativeToken(toChainId(chainId)).id
  const reference = `recipient ${references}`
  const wanted = { chainId, tokenId: coin, recipient, amount: '2000000', memo: '5' }
  return door.ask('/withdrawals', {
    key,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...wanted, reference }),
  })
}
