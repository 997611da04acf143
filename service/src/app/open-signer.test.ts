import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KeyPath, SigningRequest } from '@sluice/signer'
import { expect, onTestFinished, test } from 'vitest'
import { parseChain, parseHolder, parseToken } from '../../test/adapters/brands.ts'
import { systemClock } from '../base/clock.ts'
import { Misconfigured, Outage } from '../base/fault.ts'
import { systemRandom } from '../base/random.ts'
import {
  combineTransaction,
  craftTransaction,
  decodeTransaction,
} from '../chains/evm/transaction.ts'
import { addressOf } from '../chains/format-address.ts'
import { createKeyFile } from '../keys/key-file.ts'
import { createSeed, importSeed, sealSeed, writeSeedFile } from '../keys/seed-file.ts'
import { RemoteSigner } from '../signing/remote-signer.ts'
import { isSignerAway, withOutages } from '../transactions/core/signer-outage.ts'
import { type Config, loadConfig } from './config.ts'
import { catalogueOf } from './ground.ts'
import { seedWrapper } from './keys.ts'
import { maxFeeOf, openCommandSigner, openServiceSigner } from './open-signer.ts'

const CHAIN = parseChain('eip155:11155111')
const ETHER = parseToken(`${CHAIN}/slip44:60`)
const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7'
const FROM: KeyPath = { namespace: 'eip155', isTestnet: true, wallet: 0, branch: 0, index: 0 }
const FEE_CAP = 10n ** 15n
const TERMS = {
  family: 'eip155',
  gasLimit: 21_000n,
  maxFeePerGas: 10n ** 9n,
  maxPriorityFeePerGas: 1n,
} as const

test('a payment is signed with the seed, and remembered by the next signer', async () => {
  const config = await configWithSeed()
  const first = await open(config)
  const from = parseHolder(CHAIN, addressOf(CHAIN, await first.signer.publicKey('org', FROM)))
  const { unsigned, request } = paymentUnder(7, from)
  const signatures = await first.signer.sign(request)
  const { raw } = combineTransaction(unsigned, signatures)
  expect(decodeTransaction(raw)).toMatchObject({ from, nonce: 7, amount: 1_000n })
  await first.close()

  const second = await open(config)
  onTestFinished(() => second.close())
  const last = await second.signer.lastSigned('org', CHAIN, FROM)
  expect(last).toMatchObject({ slot: { kind: 'nonce', nonce: 7 } })
  const other = second.signer.sign(paymentUnder(8, from).request)
  await expect(other).rejects.toMatchObject({ code: 'signed-elsewhere' })
  expect(await second.signer.sign(request)).toEqual(signatures)
})

test('a fee above the configured cap is refused, and every fee without nodes', async () => {
  const config = await configWithSeed()
  const maxFee = maxFeeOf({ config, catalogue: catalogueOf(config) })
  expect(maxFee(CHAIN)).toBe(FEE_CAP)
  expect(maxFee('eip155:1')).toBe(0n)
  const { signer, close } = await open(config)
  onTestFinished(close)
  const from = parseHolder(CHAIN, addressOf(CHAIN, await signer.publicKey('org', FROM)))
  const terms = { ...TERMS, maxFeePerGas: FEE_CAP }
  const asked = signer.sign(paymentUnder(7, from, terms).request)
  await expect(asked).rejects.toMatchObject({ code: 'fee-too-high' })
})

test('a signer behind a socket that nobody serves is an outage', async () => {
  const config = await configWithSeed({ signerSocket: '/nonexistent/signer.sock' })
  const { signer, close } = await openServiceSigner(groundOf(config), ['unused'])
  onTestFinished(close)
  const error: unknown = await signer.fingerprint().catch((one: unknown) => one)
  expect(error).toBeInstanceOf(Outage)
  expect(isSignerAway(error)).toBe(true)
  expect(isSignerAway(new Outage('eip155:1', 'no answer'))).toBe(false)
})

test('a child that ends before it answers is an error of the configuration', async () => {
  const config = await configWithSeed()
  const opening = openServiceSigner(groundOf(config), [process.execPath, '-e', 'process.exit(2)'])
  await expect(opening).rejects.toThrow(Misconfigured)
})

test('a service without a seed says how to create it', async () => {
  const opening = openServiceSigner(groundOf(configOf({})), [process.execPath])
  await expect(opening).rejects.toThrow('sluice keys init')
})

test('an error that is no absence of the signer stays as it is', async () => {
  const broken = new RemoteSigner(async () => new Promise(() => undefined), 1, systemClock)
  const signer = { ...withOutages(broken), sign: () => Promise.reject(new TypeError('a bug')) }
  await expect(withOutages(signer).sign(paymentUnder(1, FROM_ANY).request)).rejects.toThrow(
    TypeError,
  )
})

const FROM_ANY = parseHolder(CHAIN, RECIPIENT)

function paymentUnder(nonce: number, from: typeof FROM_ANY, terms: typeof TERMS = TERMS) {
  const to = parseHolder(CHAIN, RECIPIENT)
  const intent = { chainId: CHAIN, tokenId: ETHER, from, to, amount: 1_000n, memo: null }
  const unsigned = craftTransaction(intent, terms, { kind: 'nonce', nonce })
  const fields = { orgId: 'org', id: 'one', chainId: CHAIN, tokenId: ETHER, recipient: RECIPIENT }
  const rest = { amount: '1000', memo: null, reference: 'one', createdAt: '2026-01-01T00:00:00Z' }
  const payment = { kind: 'withdrawals', withdrawals: [{ ...fields, ...rest }] } as const
  const { body } = unsigned
  const request: SigningRequest = { orgId: 'org', chainId: CHAIN, payment, from: FROM, body }
  return { unsigned, request }
}

function groundOf(config: Config) {
  const catalogue = catalogueOf(config)
  return { config, catalogue, random: systemRandom, clock: systemClock }
}

function open(config: Config) {
  return openCommandSigner(groundOf(config))
}

function configOf(changes: Record<string, unknown>): Config {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-signer-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'sluice.config.json')
  const settings = {
    environment: 'development',
    dataFolder: folder,
    seedKeyFile: join(folder, 'seed.key'),
    chains: { [CHAIN]: { nodes: ['http://127.0.0.1:1'], feeCap: `${FEE_CAP}` } },
    ...changes,
  }
  writeFileSync(path, JSON.stringify(settings))
  return loadConfig({ SLUICE_CONFIG: path })
}

async function configWithSeed(changes: Record<string, unknown> = {}): Promise<Config> {
  const config = configOf(changes)
  createKeyFile(config.seedKeyFile, systemRandom)
  const seed = importSeed(createSeed(systemRandom))
  const sealed = await sealSeed(seed, seedWrapper(config, systemRandom), { now: 0 })
  writeSeedFile(config.seedFile, sealed)
  return config
}
