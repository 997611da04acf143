import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { devWallet, holding, mined, send, startAnvil } from '@sluice/simulator'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { CHAINS } from '../../src/catalogue/chains.ts'
import { addressOf, displayAddress } from '../../src/chains/format-address.ts'
import { Secret } from '../../src/base/secret.ts'
import { openKeyring } from '../../src/keys/keyring.ts'
import { importSeed } from '../../src/keys/seed-file.ts'
import { startChain } from '../soak/chains/start.ts'
import { compareWith } from '../support/oracles.ts'
import { install } from './installation.ts'
import { build, makeHome, sluice, writeConfig } from './program.ts'

beforeAll(build)

const NOWHERE = 'http://127.0.0.1:1'
const TRON = CHAINS.find(({ id }) => id === 'tron:shasta')
const BITCOIN = CHAINS.find(({ name }) => name === 'Bitcoin Testnet3')
const XRPL = CHAINS.find(({ id }) => id === 'xrpl:testnet')
const RECOVER = ['keys', 'recover', '--gap', '20', '--wallets', '2']
const BLOCK_MS = 100
const SEPOLIA = CHAINS.find(({ id }) => id === 'eip155:11155111')
const PAID = 10n ** 18n
const GAS_PRICE = 10n ** 10n
const FEE = 21_000n * GAS_PRICE

/** An installation on a chain that can be searched, and on two that cannot. */
async function makeHarness() {
  if (TRON === undefined || BITCOIN === undefined || XRPL === undefined) throw new Error('no chain')
  const chain = await startChain('tron', { seed: 'recover', bitcoind: null, blockMs: BLOCK_MS })
  onTestFinished(() => chain.stop())
  const harness = await install({
    chains: {
      [BITCOIN.id]: { nodes: [NOWHERE] },
      [TRON.id]: { nodes: [chain.nodeUrl] },
      [XRPL.id]: { nodes: [NOWHERE] },
    },
    tokens: chain.listed,
  })
  const { namespace, isTestnet } = TRON
  const keyring = openKeyring(importSeed(new Secret(harness.words)))
  const address = addressOf(
    TRON.id,
    keyring.publicKey({ namespace, isTestnet, wallet: 0, branch: 0, index: 3 }),
  )
  keyring.destroy()
  return { ...harness, chain, address, chains: { TRON, BITCOIN, XRPL } }
}

test('K07 the seed alone finds its money, and names each chain that was not searched', async () => {
  const { config, chain, address, chains } = await makeHarness()
  // Neither the database nor the service key: what is left after a bad day is the seed.
  rmSync(join(dirname(config), 'data', 'service.key'))
  const nothing = await sluice(config, RECOVER)
  expect(nothing).toMatchObject({
    code: 3,
    stdout: `No address of this seed was ever used on ${chains.TRON.id}.\n`,
  })
  chain.run()
  const [coin = ''] = chain.tokens
  await chain.pay([{ to: address, tag: null, tokenId: coin, amount: 5_000_000n }])
  await new Promise((resolve) => setTimeout(resolve, 5 * BLOCK_MS))
  const found = await sluice(config, RECOVER)
  expect(found.code).toBe(3)
  expect(found.stdout).toContain(displayAddress(chains.TRON.id, address))
  const said = found.stderr.trim().split('\n')
  expect(said).toEqual([
    expect.stringContaining(`NOT SEARCHED: ${chains.BITCOIN.id}: its nodes do not serve balances`),
    expect.stringMatching(`^NOT SEARCHED: ${chains.XRPL.id}: .`),
  ])
  const told = await sluice(config, [...RECOVER, '--json'])
  expect(told.code).toBe(3)
  expect(JSON.parse(told.stdout)).toMatchObject({
    searched: [chains.TRON.id],
    found: [{ chainId: chains.TRON.id, holds: [{ tokenId: coin, amount: '5000000' }] }],
    notSearched: [
      { chainId: chains.BITCOIN.id, why: expect.stringContaining('wpkh(') },
      { chainId: chains.XRPL.id, why: expect.stringMatching(/./) },
    ],
  })
})

compareWith(['ethers'], ({ ethers }) => {
  test('K12 each path that was found signs with the words alone, and its money moves', async () => {
    if (SEPOLIA === undefined) throw new Error('no chain')
    const anvil = await startAnvil({ chainId: 11_155_111 })
    onTestFinished(() => anvil.stop())
    const { config, words } = await install({ chains: { [SEPOLIA.id]: { nodes: [anvil.url] } } })
    const keyring = openKeyring(importSeed(new Secret(words)))
    const { namespace, isTestnet } = SEPOLIA
    const given = [
      { wallet: 0, index: 0 },
      { wallet: 0, index: 3 },
      { wallet: 1, index: 1 },
    ].map((at) => {
      const key = keyring.publicKey({ namespace, isTestnet, branch: 0, ...at })
      return displayAddress(SEPOLIA.id, addressOf(SEPOLIA.id, key))
    })
    keyring.destroy()
    for (const to of given) await mined(anvil, await send(anvil, devWallet(0), { to, value: PAID }))
    rmSync(join(dirname(config), 'data'), { recursive: true })
    // On another machine: the words, and what the program finds with them.
    const elsewhere = writeConfig(makeHome(), { chains: { [SEPOLIA.id]: { nodes: [anvil.url] } } })
    const imported = ['keys', 'init', '--import-file', '-']
    expect(await sluice(elsewhere, imported, { input: words })).toMatchObject({ code: 0 })
    const { stdout } = await sluice(elsewhere, [...RECOVER, '--json'])
    const { found } = JSON.parse(stdout) as { found: { address: string; path: string }[] }
    expect(found.map(({ address }) => address).toSorted()).toEqual(given.toSorted())
    const cold = ethers.Wallet.createRandom().address
    for (const { address, path } of found) {
      const wallet = ethers.HDNodeWallet.fromPhrase(words, '', path)
      expect(wallet.address).toBe(address)
      const terms = { chainId: 11_155_111, nonce: 0, gasLimit: 21_000n, gasPrice: GAS_PRICE }
      const raw = await wallet.signTransaction({ ...terms, to: cold, value: PAID - FEE })
      const hash = await anvil.rpc<string>('eth_sendRawTransaction', [raw])
      await mined(anvil, { hash })
      expect(await holding(anvil, address)).toBe(0n)
    }
    expect(await holding(anvil, cold)).toBe(BigInt(given.length) * (PAID - FEE))
  })
})

test('recover says nothing about addresses if no chain was searched [K07]', async () => {
  const config = writeConfig(makeHome(), {
    chains: { [BITCOIN?.id ?? '']: { nodes: [NOWHERE] } },
  })
  expect(await sluice(config, RECOVER)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--import-file'),
  })
  expect(await sluice(config, ['keys', 'init', '--yes'])).toMatchObject({ code: 0 })
  expect(await sluice(config, RECOVER)).toMatchObject({
    code: 3,
    stdout: 'No chain was searched.\n',
  })
  const none = writeConfig(dirname(config), {})
  expect(await sluice(none, RECOVER)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'No chain has nodes in the configuration: add chains.<id>.nodes.\n',
  })
})
