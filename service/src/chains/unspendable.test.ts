import type { ChainId } from '@sluice/wire'
import { describe, expect, test } from 'vitest'
import { bech32, bech32m } from '@scure/base'
import { parseAddress, unspendableReason } from './format-address.ts'

const EVM = 'eip155:1' as ChainId
const BITCOIN = 'bip122:000000000019d6689c085ae165831e93' as ChainId
const TESTNET = 'bip122:000000000933ea01ad0ee984209779ba' as ChainId
const TRON = 'tron:shasta' as ChainId
const XRPL = 'xrpl:mainnet' as ChainId
/** BIP-340: the order of the field of secp256k1, and the largest x below it. */
const FIELD = 'fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f'
const H = '50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0'

const UNSPENDABLE: readonly [ChainId, string, RegExp][] = [
  [EVM, `0x${'0'.repeat(40)}`, /zero address/],
  [EVM, '0x0000000000000000000000000000000000000001', /contract of the protocol/],
  [EVM, '0x0000000000000000000000000000000000000011', /contract of the protocol/],
  [EVM, '0x00000000000000000000000000000000000000ff', /contract of the protocol/],
  [EVM, '0x0000000000000000000000000000000000000100', /contract of the protocol/],
  [EVM, '0x0000000000000000000000000000000000001010', /system contract of Polygon/],
  [EVM, '0x000000000000000000000000000000000000dead', /burn/],
  [EVM, '0xdEAD000000000000000042069420694206942069', /burn/],
  [EVM, '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE', /native currency/],
  [EVM, `0x${'F'.repeat(40)}`, /burn/],
  [EVM, `0x${'f'.repeat(39)}e`, /system calls/],
  [TRON, 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', /zero address/],
  [TRON, 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy', /black hole/],
  [XRPL, 'rrrrrrrrrrrrrrrrrrrrrhoLvTp', /ACCOUNT_ZERO/],
  [XRPL, 'rrrrrrrrrrrrrrrrrrrrBZbvji', /ACCOUNT_ONE/],
  [XRPL, 'rrrrrrrrrrrrrrrrrNAMEtxvNvQ', /black hole/],
  [XRPL, 'rrrrrrrrrrrrrrrrrrrn5RM1rHd', /NaN/],
  [XRPL, 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', /public/],
  [BITCOIN, '1111111111111111111114oLvT2', /burn address/],
  [BITCOIN, '11111111111111111111BZbvjr', /burn address/],
  [BITCOIN, '1QLbz7JHiBTspS962RLKV8GndWFwi5j6Qr', /burn address/],
  [BITCOIN, '1BitcoinEaterAddressDontSendf59kuE', /burn address/],
  [BITCOIN, '1CounterpartyXXXXXXXXXXXXXXXUWLpVr', /burn address/],
  [TESTNET, 'mvCounterpartyXXXXXXXXXXXXXXW24Hef', /burn address/],
  [TESTNET, 'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8', /burn address/],
  [BITCOIN, '1HT7xU2Ngenf7D4yocz2SAcnNLW7rK8d4E', /empty or trivial script/],
  [BITCOIN, program(0, '00'.repeat(20)), /burn address/],
  [BITCOIN, program(0, '00'.repeat(32)), /burn address/],
  [BITCOIN, program(0, '759d6677091e973b9e9d99f19c68fbf43e3f05f9'), /burn address/],
  [BITCOIN, '31h1vYVSYuKP6AhS86fbRdMw9XHieotbST', /burn address/],
  // P2WSH of an empty script, and of OP_TRUE.
  [
    BITCOIN,
    program(0, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'),
    /empty or trivial script/,
  ],
  [
    BITCOIN,
    program(0, '4ae81572f06e1b88fd5ced7a1a000945432e83e1551e6f721ee9c00b8cc33260'),
    /empty or trivial script/,
  ],
  [BITCOIN, program(1, '00'.repeat(32)), /not on the curve/],
  [BITCOIN, program(1, FIELD), /not on the curve/],
  [BITCOIN, program(1, 'ff'.repeat(32)), /not on the curve/],
  // x = 5: 5³ + 7 is not a square.
  [BITCOIN, program(1, '05'.padStart(64, '0')), /not on the curve/],
  [TESTNET, program(1, '05'.padStart(64, '0'), 'tb'), /not on the curve/],
  [BITCOIN, program(1, H), /unknown/],
  [BITCOIN, 'bc1pfeessrawgf', /not 32 bytes long/],
  [BITCOIN, 'bc1sw50qgdz25j', /witness version/],
]

const SPENDABLE: readonly [ChainId, string][] = [
  [EVM, '0x0000000000000000000000000000000000000200'],
  [EVM, '0x000000000000000000000000000000000000deaf'],
  [EVM, '0x52908400098527886E0F7030069857D2E4169EE7'],
  [TRON, 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'],
  [XRPL, 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe'],
  ['xrpl:testnet' as ChainId, 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
  [BITCOIN, '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  [BITCOIN, '3P14159f73E4gFr7JterCCQh9QjiTjiZrG'],
  [BITCOIN, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  [BITCOIN, 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
]

test.each(UNSPENDABLE)('explains on %s why %s is unspendable [V02–V05]', (chain, text, reason) => {
  expect(reasonOf(chain, text)).toMatch(reason)
})

test.each(SPENDABLE)('has no objection on %s to %s [V02–V05]', (chain, text) => {
  expect(reasonOf(chain, text)).toBeNull()
})

describe('unspendableReason', () => {
  test('refuses on TRON the twenty bytes of each EVM address it refuses', async () => {
    const { fromContractForm } = await import('./tron/address.ts')
    const texts = UNSPENDABLE.filter(([chain]) => chain === EVM).map(([, text]) => text)
    for (const text of texts) {
      const address = fromContractForm(text.toLowerCase())
      expect(unspendableReason(TRON, address)).toEqual(expect.any(String))
    }
  })
})

function reasonOf(chain: ChainId, text: string): string | null {
  const address = parseAddress(chain, text)
  if (address === null) throw new Error(`${text} is not an address of ${chain}`)
  return unspendableReason(chain, address)
}

function program(version: number, hex: string, prefix = 'bc'): string {
  const coder = version === 0 ? bech32 : bech32m
  return coder.encode(prefix, [version, ...coder.toWords(Buffer.from(hex, 'hex'))])
}
