import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Anvil, startAnvil } from './anvil.ts'
import { fromHex, toHex } from './hex.ts'
import { rlp, type RlpItem, unrlp } from './rlp.ts'
import { deploy, holding, mined, nonceOf, send } from './evm-send.ts'
import {
  checksumAddress,
  createAddress,
  devWallet,
  signTransaction,
  transactionHash,
} from './evm-wallet.ts'

describe('addresses', () => {
  test('addresses have the checksums of the examples of EIP-55', () => {
    const examples = [
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
      '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    ]
    for (const example of examples) expect(checksumAddress(example.toLowerCase())).toBe(example)
  })

  test('the development accounts are those that anvil prints', () => {
    expect(devWallet(0).address).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
    expect(devWallet(9).address).toBe('0xa0Ee7A142d267C1f36714E4a8F75612F20a79720')
    expect(() => devWallet(10)).toThrow('no development account 10')
  })
})

describe('RLP', () => {
  test('RLP encodes the examples of the Yellow Paper', () => {
    const cases: [RlpItem, string][] = [
      [new Uint8Array(), '0x80'],
      [Uint8Array.of(0), '0x00'],
      [Uint8Array.of(15), '0x0f'],
      [Uint8Array.of(4, 0), '0x820400'],
      [Buffer.from('dog'), '0x83646f67'],
      [[Buffer.from('cat'), Buffer.from('dog')], '0xc88363617483646f67'],
      [[], '0xc0'],
      [[[], [[]], [[], [[]]]], '0xc7c0c1c0c3c0c1c0'],
    ]
    for (const [item, encoded] of cases) expect(toHex(rlp(item))).toBe(encoded)
  })

  test('RLP decodes what it encoded, long strings and lists included', () => {
    const item = [new Uint8Array(56).fill(7), [new Uint8Array(300).fill(200), new Uint8Array()]]
    expect(toHex(rlp(unrlp(rlp(item))))).toBe(toHex(rlp(item)))
  })

  test('RLP refuses truncated bytes and leftovers', () => {
    expect(() => unrlp(fromHex('0x83646f'))).toThrow('early')
    expect(() => unrlp(fromHex('0x83646f6767'))).toThrow('left over')
  })
})

describe('signed transactions', () => {
  let anvil: Anvil
  beforeAll(async () => {
    anvil = await startAnvil({ chainId: 97 })
  })
  afterAll(() => anvil.stop())

  const to = '0x00000000000000000000000000000000000d0009'
  const wallet = devWallet(0)
  const legacy = { type: 'legacy', to, value: 5n, gas: 21_000, gasPrice: 10n ** 10n } as const
  const accept = async (raw: string) => {
    expect(await anvil.rpc('eth_sendRawTransaction', [raw])).toBe(transactionHash(raw))
  }

  test('the example of EIP-155 has its exact signed bytes', () => {
    const example = {
      privateKey: toHex(new Uint8Array(32).fill(0x46)),
      address: toHex(new Uint8Array()),
    }
    const raw = signTransaction(example, {
      type: 'legacy',
      chainId: 1,
      nonce: 9,
      gasPrice: 20n * 10n ** 9n,
      gas: 21_000,
      to: '0x3535353535353535353535353535353535353535',
      value: 10n ** 18n,
    })
    expect(raw).toBe(
      '0xf86c098504a817c800825208943535353535353535353535353535353535353535880' +
        'de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276' +
        'a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83',
    )
  })

  test('a node accepts all three types under the same hashes', async () => {
    const before = await holding(anvil, to)
    const nonce = await nonceOf(anvil, wallet.address)
    await accept(signTransaction(wallet, { ...legacy, chainId: 97, nonce }))
    await accept(signTransaction(wallet, { ...legacy, nonce: nonce + 1 }))
    await mined(anvil, await send(anvil, wallet, { to, value: 6n, nonce: nonce + 2 }))
    expect(await holding(anvil, to)).toBe(before + 16n)
  })

  test('a created contract has the address of createAddress', async () => {
    const nonce = await nonceOf(anvil, wallet.address)
    const created = await deploy(anvil, wallet, '0x6001600c60003960016000f300')
    const { contractAddress } = await mined(anvil, created)
    const { address } = created
    expect(address).toBe(createAddress(wallet.address, nonce))
    expect(contractAddress).toBe(address.toLowerCase())
    expect(await anvil.rpc('eth_getCode', [address, 'latest'])).toBe('0x00')
  })
})
