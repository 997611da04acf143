import { HDKey } from '@scure/bip32'
import { createHash } from 'node:crypto'
import { mnemonicToSeedSync } from '@scure/bip39'
import { describe, expect, test } from 'vitest'
import { compareWith } from '../../test/support/oracles.ts'
import { IS_SHORT } from '../../test/support/tier.ts'
import { Bug } from '../base/assert.ts'
import { Secret } from '../base/secret.ts'
import { deriveReceiveKey } from './derive.ts'
import { openKeyring } from './keyring.ts'
import type { AccountPath } from './paths.ts'
import { importSeed } from './seed-file.ts'

/** Known to everybody (anvil's own, and that of BIP-84): nothing may ever be paid to these. */
const MNEMONIC = 'test test test test test test test test test test test junk'
const BIP84_MNEMONIC = `${'abandon '.repeat(11)}about`
const WALLET = 7
const COUNT = 1_000

const keyring = openKeyring(importSeed(new Secret(MNEMONIC)))
const root = HDKey.fromMasterSeed(mnemonicToSeedSync(MNEMONIC))
const indices = Array.from({ length: COUNT }, (_, index) => index)
const hex = (bytes: Uint8Array | null) => Buffer.from(bytes ?? []).toString('hex')

/**
 * Never change a line here: every address ever shown to somebody hangs on it. Each has its path,
 * the SHA-256 over its first 1,000 public keys, and the first three of these.
 */
const GOLDEN: [AccountPath, string, string, string[]][] = [
  [
    { namespace: 'eip155', isTestnet: false, wallet: WALLET },
    "m/44'/60'/7'",
    'ae499fa41919593093eadc54e0554ad43a76e730a07293c6c0ae8842c7f788cd',
    [
      '0361705ccd6877fd5394d43ff4de44382e07101caa5e22c8289cb498eaffb1e4c1',
      '031aeb6af13ca1e70093eac2ff1928f2bd44dbdce0faa9b5d626869f03fb2a7f0a',
      '032e8e10ef550207e84748db839c06c4c49122a15ca0b4c6c4522f2f1ecf81fcef',
    ],
  ],
  [
    { namespace: 'bip122', isTestnet: false, wallet: WALLET },
    "m/84'/0'/7'",
    'a968746b6d0513cf5412083856cd1b2e6704a3283fdcc1401dcb623e47244594',
    [
      '02e28b21f09bc733eea8766978f0d39fc84fc4235d2b3a768be8be602e05606e33',
      '038268b5deff8fc180f58f66c6a7bc62c3d47e49bc581039684d0d0973a2d4d716',
      '0244bce36abf44979ed6769457326223987a9dcdbaf3af043c8e3c157b2b9a27bf',
    ],
  ],
  [
    { namespace: 'tron', isTestnet: false, wallet: WALLET },
    "m/44'/195'/7'",
    'a79f77505c0fc933ec823f4ef57d4a53c2befb4d93c5c6f3c3a18e7e6016c1b4',
    [
      '03855c1d086e3446a7258ec508d93be19a1d92671d191821321d69d5d1ee36fd8c',
      '029267f864f358eb79bb5c47df7c10f395d30bac343efd9a3a710d960969df0415',
      '03ee6515ddb8e3156f0ac317502661ea19865de0994dd8f196ecddc9fd41372a2a',
    ],
  ],
  [
    { namespace: 'xrpl', isTestnet: false, wallet: WALLET },
    "m/44'/144'/7'",
    'e6c5248f5ab0ac708662d4ff1e062e6281be09052540125fdb8e6c0b56add689',
    [
      '02b8d9de7255327f98d76ba7cb698bcce78d964df11e89ffb1f9b7da7caa2b337e',
      '0306119b0d4f838a90fd4586ca5dd3a5ca597953169d6556572a6252afa3b43498',
      '0361ab20d82c97c17464b6c07337cb48bb19073a435b24cc33486292b4215864fa',
    ],
  ],
  [
    { namespace: 'eip155', isTestnet: true, wallet: WALLET },
    "m/44'/1'/7'",
    'bd42cbaecbbcce7d9a2565af4e1bbd2459c3842f947645b795341adeed7774be',
    [
      '035e59fd4e1da5e8244db997b64bbb8c4499a4abe7ad2b30d1bcf18b24131befa4',
      '02c852dd9a61ecd57f9d54f07d87493a53138abe6dcabd272be91a2e4c2cdced3e',
      '02c404234b9455bc69ff882e8acf3ba20f4b0d8b128d504c225fb3fc6d9ac9c7dc',
    ],
  ],
  [
    { namespace: 'bip122', isTestnet: true, wallet: WALLET },
    "m/84'/1'/7'",
    '47bbf03ebd2de219b07e38cb10ad7a5e095caaf9fffc694a9f6d427c0c4f3129',
    [
      '02889b9cfa74fe7f30365f5d8d4d49608ca44fe30575c8b41bd05dc781905ee090',
      '03074bee7e2d6b425da3b04b4f139585e1dfd562ef4f9224a274e7efe1ee81dba5',
      '020960c3b3fa7a53d760def1912f62db1f339e8fe33b8b8cdf86be6e5b20fc3bc9',
    ],
  ],
  [
    { namespace: 'tron', isTestnet: true, wallet: WALLET },
    "m/44'/1'/7'",
    'bd42cbaecbbcce7d9a2565af4e1bbd2459c3842f947645b795341adeed7774be',
    [
      '035e59fd4e1da5e8244db997b64bbb8c4499a4abe7ad2b30d1bcf18b24131befa4',
      '02c852dd9a61ecd57f9d54f07d87493a53138abe6dcabd272be91a2e4c2cdced3e',
      '02c404234b9455bc69ff882e8acf3ba20f4b0d8b128d504c225fb3fc6d9ac9c7dc',
    ],
  ],
  [
    { namespace: 'xrpl', isTestnet: true, wallet: WALLET },
    "m/44'/1'/7'",
    'bd42cbaecbbcce7d9a2565af4e1bbd2459c3842f947645b795341adeed7774be',
    [
      '035e59fd4e1da5e8244db997b64bbb8c4499a4abe7ad2b30d1bcf18b24131befa4',
      '02c852dd9a61ecd57f9d54f07d87493a53138abe6dcabd272be91a2e4c2cdced3e',
      '02c404234b9455bc69ff882e8acf3ba20f4b0d8b128d504c225fb3fc6d9ac9c7dc',
    ],
  ],
  [
    { namespace: 'bip122', isTestnet: false, wallet: WALLET, addressType: 'p2tr' },
    "m/86'/0'/7'",
    'b55ad72f55721beb7fe70666163a3e43c7a286bf534a50d73afd842847d39806',
    [
      '025e3f980607ee1865025fe61b1d69bac790e9e601e580f15a0f1784780d51ece7',
      '0208141eb6cb79e3d30dd626f4d960f796a08f212fd48b9e6b6804d51fec0e1c65',
      '02164df5414af97452601cb8c5be48a91962a1c7b87ebc30414c80f82222e88270',
    ],
  ],
  [
    { namespace: 'bip122', isTestnet: true, wallet: WALLET, addressType: 'p2tr' },
    "m/86'/1'/7'",
    'f6a374a992552271f067ab9cfb0d54f009365188784bc8b48e671f2b070b43f7',
    [
      '03a22556c05cf81c97e466ec5257921c2b8188d98dec3d1a2c82b57b6ed438cda7',
      '03878c13e5e285cf4b55416ffb545f1d3f0158710aaea18446c605f027e67b7259',
      '037bf1e2df9f98b48886d664883b8903194aa60ced44cbb3e29b04e47dca5500ce',
    ],
  ],
]

describe.each(GOLDEN)('K05 of the wallet %j at %s', (at, account, digest, firstThree) => {
  const xpub = keyring.accountXpub(at)
  const keys = indices.map((index) => hex(deriveReceiveKey(xpub, index)))

  test('the first 1,000 receiving keys are those they have always been', () => {
    expect(keys.slice(0, 3)).toEqual(firstThree)
    expect(
      createHash('sha256')
        .update(Buffer.from(keys.join(''), 'hex'))
        .digest('hex'),
    ).toBe(digest)
  })

  compareWith(['ethers'], ({ ethers }) => {
    test('ethers finds the same 1,000 keys from the words', () => {
      const branch = ethers.HDNodeWallet.fromPhrase(MNEMONIC, '', `${account}/0`)
      expect(indices.map((index) => branch.deriveChild(index).publicKey.slice(2))).toEqual(keys)
    })
  })

  compareWith(['viem/accounts'], ({ 'viem/accounts': accounts }) => {
    test('viem finds the same 1,000 keys from the words', () => {
      const viemRoot = accounts.HDKey.fromMasterSeed(mnemonicToSeedSync(MNEMONIC))
      const branch = viemRoot.derive(`${account}/0`)
      expect(indices.map((index) => hex(branch.deriveChild(index).publicKey))).toEqual(keys)
    })
  })

  test('the keys that sign are those of the addresses', () => {
    for (const index of indices.filter((number) => number % 25 === 0))
      expect(hex(keyring.publicKey({ ...at, branch: 0, index }))).toBe(keys[index])
  })

  test('change lies on a branch of its own', () => {
    const change = hex(root.derive(`${account}/1/3`).publicKey)
    expect(hex(keyring.publicKey({ ...at, branch: 1, index: 3 }))).toBe(change)
    expect(keys).not.toContain(change)
  })
})

compareWith(['ethers', 'viem/accounts'], ({ ethers, 'viem/accounts': accounts }) => {
  const addressOf = (xpub: string, index: number) =>
    ethers.computeAddress(`0x${hex(deriveReceiveKey(xpub, index))}`)

  test.each([
    [false, 60],
    [true, 1],
  ])('K05 EVM addresses (testnet: %s) are those of viem and ethers', (isTestnet, coin) => {
    const xpub = keyring.accountXpub({ namespace: 'eip155', isTestnet, wallet: WALLET })
    for (const index of [0, 1, 2, 500, 999, 2 ** 31 - 1]) {
      const path = `m/44'/${coin}'/${WALLET}'/0/${index}`
      const ours = addressOf(xpub, index)
      const leaf = `0x${hex(root.derive(path).privateKey)}` as const
      expect(ours).toBe(accounts.privateKeyToAccount(leaf).address)
      expect(ours).toBe(ethers.HDNodeWallet.fromPhrase(MNEMONIC, '', path).address)
    }
  })

  test('K05 the first key of EVM is the one that everybody publishes for these words', () => {
    const xpub = keyring.accountXpub({ namespace: 'eip155', isTestnet: false, wallet: 0 })
    const address = addressOf(xpub, 0)
    expect(address).toBe(accounts.mnemonicToAccount(MNEMONIC).address)
    expect(address).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
  })
})

test('K05 the published vectors of BIP-84 come out', () => {
  const bip84 = openKeyring(importSeed(new Secret(BIP84_MNEMONIC)))
  const at = { namespace: 'bip122' as const, isTestnet: false, wallet: 0 }
  const xpub = bip84.accountXpub(at)
  expect(bip84.fingerprint).toBe('73c5da0a')
  expect([0, 1].map((index) => hex(deriveReceiveKey(xpub, index)))).toEqual([
    '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c',
    '03e775fd51f0dfb8cd865d9ff1cca2a158cf651fe997fdc9fee9c1d3b5e995ea77',
  ])
  expect(hex(bip84.publicKey({ ...at, branch: 1, index: 0 }))).toBe(
    '03025324888e429ab8e3dbaf1f7802648b9cd01e9b418485c5fa4c1b9b5700e1a6',
  )
})

test('K05 the published vectors of BIP-86 come out', () => {
  const bip86 = openKeyring(importSeed(new Secret(BIP84_MNEMONIC)))
  const at = { namespace: 'bip122', isTestnet: false, wallet: 0, addressType: 'p2tr' } as const
  const xpub = bip86.accountXpub(at)
  expect(xpub).toBe(
    'xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY' +
      '49yfdDEHGCtMMj92pReUsQ',
  )
  const xOf = (key: Uint8Array) => hex(key).slice(2)
  expect([0, 1].map((index) => xOf(deriveReceiveKey(xpub, index)))).toEqual([
    'cc8a4bc64d897bddc5fbc2f670f7a8ba0b386779106cf1223c6fc5d7cd6fc115',
    '83dfe85a3151d2517290da461fe2815591ef69f2b18a2ce63f01697a8b313145',
  ])
  expect(xOf(bip86.publicKey({ ...at, branch: 1, index: 0 }))).toBe(
    '399f1b2f4393f29a18c937859c5dd8a77350103157eb880f02e8c08214277cef',
  )
})

/** Of each wallet; 20,000 in the long tier. */
const DISTINCT = IS_SHORT ? 100 : COUNT

test(`K01 ${20 * DISTINCT} derived keys hold no duplicate`, { timeout: 120_000 }, () => {
  const seen = new Set<string>()
  for (const [at] of GOLDEN.filter((_row, number) => number < 5)) {
    for (let wallet = 0; wallet < 4; wallet += 1) {
      const xpub = keyring.accountXpub({ ...at, wallet })
      for (const index of indices.slice(0, DISTINCT)) seen.add(hex(deriveReceiveKey(xpub, index)))
    }
  }
  expect(seen.size).toBe(20 * DISTINCT)
})

describe('public derivation', () => {
  const at = { namespace: 'eip155' as const, isTestnet: false, wallet: 0 }
  const xpub = keyring.accountXpub(at)

  test.each([-1, 2 ** 31, 2 ** 32, 1.5, Number.NaN])('refuses the index %d', (index) => {
    expect(() => deriveReceiveKey(xpub, index)).toThrow(Bug)
  })

  test('refuses an xprv, the xpub of another level and a text that is neither', () => {
    const master = HDKey.fromMasterSeed(new Uint8Array(32).fill(5))
    const account = master.derive("m/44'/60'/0'")
    const refused = [
      account.privateExtendedKey,
      account.deriveChild(0).publicExtendedKey,
      account.deriveChild(2 ** 31).publicExtendedKey,
      master.derive("m/44'/60'/0").publicExtendedKey,
      master.publicExtendedKey,
      `${xpub.slice(0, -1)}${xpub.endsWith('a') ? 'b' : 'a'}`,
      '',
    ]
    expect(() => deriveReceiveKey(account.publicExtendedKey, 0)).not.toThrow()
    for (const text of refused) expect(() => deriveReceiveKey(text, 0)).toThrow(Bug)
  })

  test('gives the same keys after more wallets than it remembers', () => {
    const before = hex(deriveReceiveKey(xpub, 3))
    for (let number = 0; number < 1_005; number += 1) {
      const master = new Uint8Array(32)
      new DataView(master.buffer).setUint32(0, number + 1)
      // A wallet's xpub by its place in the tree alone: three levels would cost three derivations.
      const { chainCode, publicKey } = HDKey.fromMasterSeed(master)
      if (chainCode === null || publicKey === null) throw new Error('no public parts')
      const other = new HDKey({ chainCode, publicKey, depth: 3, index: 2 ** 31 })
      deriveReceiveKey(other.publicExtendedKey, 0)
    }
    expect(hex(deriveReceiveKey(xpub, 3))).toBe(before)
  })
})
