import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hashRaw } from '@node-rs/argon2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemRandom } from '../base/random.ts'
import { Misconfigured, Refusal } from '../base/fault.ts'
import { Secret } from '../base/secret.ts'
import { createKeyFile } from './key-file.ts'
import { unlockKeyring } from './keyring.ts'
import {
  createSeed,
  importSeed,
  readSeedFile,
  sealSeed,
  unsealSeed,
  writeSeedFile,
} from './seed-file.ts'
import type { SealedSeed } from './seed-file.ts'
import { SEED_COST, wrapByKeyFile, wrapByPassphrase } from './wrap-seed.ts'
import type { SeedWrapper } from './wrap-seed.ts'

/** Weak on purpose: the tests are about the sealing, not about its cost. */
const COST = { memoryKib: 512, passes: 1, lanes: 1 }
const NOW = Date.UTC(2026, 10, 1)
const PASSPHRASE = 'correct horse battery staple'
const WORDS = 'test test test test test test test test test test test junk'

/** Words of no wallet, 12 to 24 of them, with the fingerprint of their root. */
const EVERY_LENGTH: [string, string][] = [
  ['inner cruise mandate exist cat coach close father crawl journey frown zoo', 'c39ae86d'],
  [
    'husband erupt treat enforce submit organ prosper model ' +
      'razor corn laundry prison planet broom panel',
    '440226ce',
  ],
  [
    'reduce fantasy heavy quit bottom glow smart high sudden ' +
      'female hen leg lady fatal want lounge critic evoke',
    '796cf422',
  ],
  [
    'debate sting high toe avoid hockey cute clump ecology fresh afraid ' +
      'fitness lobster turtle indoor bullet panel alcohol poem brisk focus',
    '87b9869f',
  ],
  [
    'stool shuffle evidence bacon degree panel refuse auction jewel chief require inspire ' +
      'curve usage clog shrug wet clap barely gaze still gentle odor kite',
    '9ddc6038',
  ],
]

/** Sealed by version 1 with the passphrase above. */
const GOLDEN_FILE = {
  version: 1,
  fingerprint: '16a93ed0',
  createdAt: '2026-11-01T00:00:00.000Z',
  kdf: {
    name: 'argon2id',
    memoryKib: 512,
    passes: 1,
    lanes: 1,
    salt: 'NyqAF/zWC0Knc3AIn6vl+Q==',
  },
  nonce: 'PmnBMxSuVAtNbjCd',
  ciphertext: 'a5KvnooFv+ueGMCYHVjUrG6OakdvTtM5Xq/aSlGlnEI=',
}

const byPassphrase = (text = PASSPHRASE) =>
  wrapByPassphrase({ passphrase: new Secret(text), random: systemRandom, cost: COST })
const seal = (wrapper: SeedWrapper = byPassphrase()) =>
  sealSeed(importSeed(new Secret(WORDS)), wrapper, { now: NOW })
const wordsOf = async (sealed: SealedSeed, wrapper: SeedWrapper) =>
  (await unsealSeed(sealed, wrapper)).words().reveal()

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-seed-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('words', () => {
  test('of a new seed can be imported', () => {
    const words = createSeed(systemRandom)
    expect(importSeed(words).words().reveal()).toBe(words.reveal())
  })

  test.each(EVERY_LENGTH)('of every length give the seed that ethers finds: %s', (text, finger) => {
    const seed = importSeed(new Secret(text))
    expect(seed.words().reveal()).toBe(text)
    expect(seed.fingerprint).toBe(finger)
  })

  test('may come with other case and spacing', () => {
    const loose = new Secret(`  ${WORDS.toUpperCase().replaceAll(' ', '\n\t ')}  `)
    expect(importSeed(loose).fingerprint).toBe(importSeed(new Secret(WORDS)).fingerprint)
  })

  test.each([
    ['too few', 'test junk', '12, 15, 18, 21 or 24 words, not 2'],
    ['none', '', '12, 15, 18, 21 or 24'],
    ['one unknown', WORDS.replace('junk', 'junkyard'), 'Word 12 is not in'],
    ['a wrong checksum', WORDS.replace('junk', 'test'), 'checksum'],
    ['two exchanged', WORDS.replace('test junk', 'junk test'), 'checksum'],
  ])('with a fault (%s) are refused and not repeated', (_name, words, says) => {
    const attempt = () => importSeed(new Secret(words))
    expect(attempt).toThrow(Refusal)
    expect(attempt).toThrow(says)
    expect(attempt).not.toThrow(/test|junk/)
  })
})

describe('a seed sealed with a passphrase', () => {
  test('opens with it, however the keyboard composes its letters', async () => {
    const sealed = await seal(byPassphrase('h\u00e4ngende G\u00e4rten'))
    expect(await wordsOf(sealed, byPassphrase('ha\u0308ngende Ga\u0308rten'))).toBe(WORDS)
  })

  test('is plainly refused with another', async () => {
    const attempt = unsealSeed(await seal(), byPassphrase('correct horse battery stapler'))
    await expect(attempt).rejects.toThrow('the passphrase is wrong')
    await expect(attempt).rejects.toThrow(Misconfigured)
  })

  test('names its cost and salt, and differs each time', async () => {
    const [one, other] = [await seal(), await seal()]
    expect(one).toMatchObject({ version: 1, kdf: { name: 'argon2id', ...COST } })
    expect(one.createdAt).toBe('2026-11-01T00:00:00.000Z')
    expect(one.kdf).not.toEqual(other.kdf)
    expect(one.nonce).not.toBe(other.nonce)
    expect(one.ciphertext).not.toBe(other.ciphertext)
  })

  test('costs at least 64 MiB for each guess by default', async () => {
    expect(SEED_COST.memoryKib).toBeGreaterThanOrEqual(65_536)
    const wrapper = wrapByPassphrase({ passphrase: new Secret(PASSPHRASE), random: systemRandom })
    const sealed = await seal(wrapper)
    expect(sealed.kdf).toMatchObject({ name: 'argon2id', ...SEED_COST })
    // Opened with the cost in the file, not with that of the wrapper.
    expect(await wordsOf(sealed, byPassphrase())).toBe(WORDS)
  })

  test('needs 12 characters', async () => {
    await expect(seal(byPassphrase('eleven char'))).rejects.toThrow('at least 12 characters')
  })

  test('does not open after any change', async () => {
    const sealed = await seal()
    const kdf = { ...sealed.kdf, passes: 2 }
    const bytes = Buffer.from(sealed.ciphertext, 'base64')
    bytes.writeUInt8(bytes.readUInt8(3) ^ 1, 3)
    const changes: Partial<SealedSeed>[] = [
      { ciphertext: bytes.toString('base64') },
      { ciphertext: bytes.subarray(0, 8).toString('base64') },
      { nonce: Buffer.alloc(12).toString('base64') },
      { fingerprint: '00000000' },
      { createdAt: '2026-11-02T00:00:00.000Z' },
      { kdf },
    ]
    for (const change of changes)
      await expect(unsealSeed({ ...sealed, ...change }, byPassphrase())).rejects.toThrow(
        Misconfigured,
      )
  })

  test('a file of the first version can always be decrypted [K05]', async () => {
    const path = join(folder, 'golden')
    writeFileSync(path, JSON.stringify(GOLDEN_FILE), { mode: 0o600 })
    expect(await wordsOf(readSeedFile(path), byPassphrase())).toBe(WORDS)
  })

  test('K05 argon2 is argon2id, version 1.3, as its authors published it', async () => {
    const salt = Buffer.from('somesalt')
    const options = { algorithm: 2, memoryCost: 65_536, timeCost: 2, parallelism: 1, salt }
    expect((await hashRaw('password', options)).toString('hex')).toBe(
      '09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7',
    )
  })
})

describe('a seed sealed with a key file', () => {
  const byFile = (name: string) => wrapByKeyFile({ path: join(folder, name), random: systemRandom })
  const make = (name: string) => createKeyFile(join(folder, name), systemRandom)

  test('opens with it and is plainly refused with another, or with a passphrase', async () => {
    make('key')
    make('other-key')
    const sealed = await seal(byFile('key'))
    expect(sealed.kdf).toEqual({ name: 'key-file' })
    expect(await wordsOf(sealed, byFile('key'))).toBe(WORDS)
    await expect(unsealSeed(sealed, byFile('other-key'))).rejects.toThrow('the key file is wrong')
    await expect(unsealSeed(sealed, byPassphrase())).rejects.toThrow('not sealed with a passphrase')
    await expect(unsealSeed(await seal(), byFile('key'))).rejects.toThrow('not sealed with a key')
  })

  test('is refused if the key file is missing or accessible to others', async () => {
    make('loose')
    const sealed = await seal(byFile('loose'))
    chmodSync(join(folder, 'loose'), 0o640)
    await expect(unsealSeed(sealed, byFile('loose'))).rejects.toThrow('chmod 600')
    await expect(unsealSeed(sealed, byFile('gone'))).rejects.toThrow('does not exist')
  })
})

describe('K10 bytes of the seed are wiped after use', () => {
  test('of a new seed', () => {
    const drawn: Uint8Array[] = []
    const bytes = (length: number) => {
      drawn.push(systemRandom.bytes(length))
      return drawn.at(-1) ?? new Uint8Array(0)
    }
    createSeed({ bytes, fraction: () => 0 })
    expect(drawn.length).toBeGreaterThan(0)
    expect(drawn.every((buffer) => buffer.every((byte) => byte === 0))).toBe(true)
  })

  test('passed to a wrapper and returned by it', async () => {
    const lent: Uint8Array[] = []
    const kms: SeedWrapper = {
      wrap: async (plain, bound) => {
        lent.push(plain)
        return byPassphrase().wrap(plain, bound)
      },
      unwrap: async (wrapped, bound) => {
        const plain = await byPassphrase().unwrap(wrapped, bound)
        lent.push(plain)
        return plain
      },
    }
    expect(await wordsOf(await seal(kms), kms)).toBe(WORDS)
    expect(lent.map((buffer) => Math.max(...buffer))).toEqual([0, 0])
  })
})

describe('the file of the seed', () => {
  test('is written for its owner alone, comes back the same, and unlocks the keyring', async () => {
    const path = join(folder, 'seed.json')
    const sealed = await seal()
    writeSeedFile(path, sealed)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readSeedFile(path)).toEqual(sealed)
    const keyring = await unlockKeyring(path, byPassphrase())
    expect(keyring.fingerprint).toBe(sealed.fingerprint)
  })

  test('holds no word and no byte of the seed', async () => {
    const path = join(folder, 'closed.json')
    const entropy = Buffer.from(importSeed(new Secret(WORDS)).entropy())
    writeSeedFile(path, await seal())
    const content = readFileSync(path, 'utf8')
    for (const leak of [
      'test test',
      'test junk',
      entropy.toString('hex'),
      entropy.toString('base64'),
    ])
      expect(content).not.toContain(leak)
  })

  test('is never overwritten, and no half-written one is left beside it', async () => {
    const path = join(folder, 'first.json')
    writeSeedFile(path, await seal())
    const before = readFileSync(path, 'utf8')
    const sealed = await seal()
    expect(() => writeSeedFile(path, sealed)).toThrow('already exists')
    expect(readFileSync(path, 'utf8')).toBe(before)
    expect(readdirSync(folder).filter((name) => name.startsWith('first'))).toEqual(['first.json'])
  })

  test('is refused when others can read it', async () => {
    const path = join(folder, 'open.json')
    writeSeedFile(path, await seal())
    chmodSync(path, 0o644)
    expect(() => readSeedFile(path)).toThrow('chmod 600')
  })

  test.each([
    ['no JSON', () => 'seed'],
    ['another version', (sealed: SealedSeed) => JSON.stringify({ ...sealed, version: 2 })],
    ['no nonce', (sealed: SealedSeed) => JSON.stringify({ ...sealed, nonce: undefined })],
    ['a short nonce', (sealed: SealedSeed) => JSON.stringify({ ...sealed, nonce: 'AAAA' })],
    [
      'an unknown way of sealing',
      (sealed: SealedSeed) => JSON.stringify({ ...sealed, kdf: { name: 'none' } }),
    ],
    [
      'a ruinous cost',
      (sealed: SealedSeed) =>
        JSON.stringify({ ...sealed, kdf: { ...sealed.kdf, memoryKib: 2 ** 31 } }),
    ],
    ['null', () => 'null'],
  ])('is refused when it holds %s', async (_name, write) => {
    const path = join(folder, 'bad.json')
    writeFileSync(path, write(await seal()), { mode: 0o600 })
    expect(() => readSeedFile(path)).toThrow('is not a seed file of version 1')
  })
})
