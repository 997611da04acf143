import type { HDKey } from '@scure/bip32'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { systemRandom } from '../base/random.ts'
import { openLog } from '../base/log.ts'
import { Secret } from '../base/secret.ts'
import { createKeyFile, readKeyFile } from './key-file.ts'
import { deriveReceiveKey } from './derive.ts'
import { openKeyring } from './keyring.ts'
import type { DerivationPath } from './paths.ts'
import { createSeed, importSeed, sealSeed, unsealSeed } from './seed-file.ts'
import { openServiceKey } from './service-key.ts'
import { wrapByKeyFile, wrapByPassphrase } from './wrap-seed.ts'

const PASSPHRASE = 'canary passphrase 93f1'
const TEXT = 'canary-text-51ab'
const AT: DerivationPath = {
  namespace: 'eip155',
  isTestnet: false,
  wallet: 0,
  branch: 0,
  index: 0,
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-secrecy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('K03 nothing here shows a secret in a log, an inspection, a text or JSON', async () => {
  const { shown, canaries } = await useEverything()
  const texts = shown.flatMap(waysToShow)
  expect(canaries.filter((canary) => texts.some((text) => text.includes(canary)))).toEqual([])
})

test('K03 the search itself finds a secret that is shown', async () => {
  const { canaries } = await useEverything()
  for (const canary of canaries.slice(0, 3))
    expect(waysToShow({ leak: canary }).some((text) => text.includes(canary))).toBe(true)
  const bytes = Uint8Array.from([1, 2, 3])
  const found = waysToShow({ bytes }).some((text) =>
    spellings(bytes).some((spelling) => text.includes(spelling)),
  )
  expect(found).toBe(true)
})

/** Every object and error of this module, after use, and the spellings of all secrets put in. */
async function useEverything(): Promise<{ shown: unknown[]; canaries: string[] }> {
  const words = createSeed(systemRandom)
  const seed = importSeed(words)
  const keyring = openKeyring(seed)
  const secretKey = systemRandom.bytes(32)
  const serviceKey = openServiceKey({ key: secretKey, random: systemRandom })
  const keyPath = join(folder, `key-${keyring.fingerprint}`)
  createKeyFile(keyPath, systemRandom)
  const cost = { memoryKib: 512, passes: 1, lanes: 1 }
  const passphrase = new Secret(PASSPHRASE)
  const byPassphrase = wrapByPassphrase({ passphrase, random: systemRandom, cost })
  const byFile = wrapByKeyFile({ path: keyPath, random: systemRandom })
  const sealed = await sealSeed(seed, byPassphrase, { now: 0 })
  const other = await sealSeed(seed, byFile, { now: 0 })
  const account = seed.root().derive("m/44'/60'/0'")
  const leaf = seed.root().derive("m/44'/60'/0'/0/0")
  const blob = serviceKey.seal('totp', 'user', TEXT)
  const results = [keyring.sign(AT, new Uint8Array(32)), keyring.publicKey(AT)]
  const misspelt = new Secret(words.reveal().replace(/\S+$/, 'canaryword'))
  const wrong = wrapByPassphrase({ passphrase: new Secret(`${PASSPHRASE}!`), random: systemRandom })
  const errors = [
    errorOf(() => importSeed(misspelt)),
    errorOf(() => importSeed(new Secret(unfit(words.reveal())))),
    errorOf(() => deriveReceiveKey(account.privateExtendedKey, 0)),
    errorOf(() => deriveReceiveKey(`${account.privateExtendedKey}x`, 0)),
    errorOf(() => serviceKey.open('totp', 'other', blob)),
    errorOf(() => keyring.publicKey({ ...AT, index: -1 })),
    await unsealSeed(sealed, wrong).catch((error: unknown) => error),
    await unsealSeed({ ...other, fingerprint: '0' }, byFile).catch((error: unknown) => error),
  ]
  const objects = [
    words,
    passphrase,
    seed,
    keyring,
    serviceKey,
    byPassphrase,
    byFile,
    sealed,
    other,
  ]
  return {
    shown: [...objects, ...results, ...errors, blob, keyring.accountXpub(AT)],
    canaries: [
      words.reveal(),
      PASSPHRASE,
      TEXT,
      'canaryword',
      ...[account, leaf, seed.root()].flatMap(privateSpellings),
      ...[seed.entropy(), secretKey, readKeyFile(keyPath)].flatMap(spellings),
    ],
  }
}

function privateSpellings(node: HDKey): string[] {
  return [node.privateExtendedKey, ...spellings(node.privateKey ?? new Uint8Array(0))]
}

/** Bytes as hex, as base64, as a decimal list, as a JSON object, and as an inspected Buffer. */
function spellings(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes)
  const pairs = buffer.toString('hex').match(/../g) ?? []
  const json = JSON.stringify(Object.fromEntries(bytes.entries())).slice(1, -1)
  const texts = [buffer.toString('hex'), buffer.toString('base64'), pairs.join(' ')]
  return [...texts, [...bytes].join(','), [...bytes].join(', '), json]
}

function waysToShow(value: unknown): string[] {
  const options = { depth: 20, showHidden: true, getters: true, breakLength: Infinity }
  const lines: string[] = []
  const log = openLog({
    level: 'info',
    pretty: false,
    stream: 2,
    destination: { write: (line) => lines.push(line) },
  })
  log.info({ value }, 'shown')
  log.error({ err: value }, 'shown')
  if (value instanceof Error) lines.push(value.message, String(value.stack), String(value.cause))
  const texts = [inspect(value, options), inspect(value), String(value)]
  return [...lines, ...texts, JSON.stringify(value, bigintsAsText)]
}

function bigintsAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString(16) : value
}

function errorOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

/** The same words but for the lowest bit of their checksum: never right. */
function unfit(words: string): string {
  const all = words.split(' ')
  const last = wordlist.indexOf(all.at(-1) ?? '')
  return [...all.slice(0, -1), wordlist[last % 2 === 0 ? last + 1 : last - 1]].join(' ')
}
