import { sign, verify } from 'node:crypto'
import { array, assert, constant, maxSafeInteger, oneof, property, string } from 'fast-check'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Bug } from '../base/assert.ts'
import { systemRandom } from '../base/random.ts'
import { Misconfigured } from '../base/fault.ts'
import type { Field } from './frame.ts'
import { createServiceKeyFile, loadServiceKey, openServiceKey } from './service-key.ts'

const KEY = Uint8Array.from({ length: 32 }, (_, at) => at)
const open = (key: Uint8Array = KEY) => openServiceKey({ key, random: systemRandom })
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const unhex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))

describe('a key pair', () => {
  const raw = (key: Uint8Array | undefined, purpose: string) =>
    open(key).keyPair(purpose).publicKey.export({ format: 'jwk' }).x

  test('is the same for the same key and purpose, and another for any other', () => {
    const other = Uint8Array.from(KEY).fill(1, 31)
    expect(raw(KEY, 'access-token')).toBe(raw(Uint8Array.from(KEY), 'access-token'))
    const all = [raw(KEY, 'access-token'), raw(KEY, 'access-token/'), raw(other, 'access-token')]
    expect(new Set(all).size).toBe(3)
  })

  test('is Ed25519 and verifies what it signed, and nothing else', () => {
    const { privateKey, publicKey } = open().keyPair('access-token')
    expect([privateKey.asymmetricKeyType, publicKey.type]).toEqual(['ed25519', 'public'])
    const text = Buffer.from('text')
    const signature = sign(null, text, privateKey)
    expect(verify(null, text, publicKey, signature)).toBe(true)
    expect(verify(null, text, open().keyPair('other').publicKey, signature)).toBe(false)
    expect(verify(null, Buffer.from('Text'), publicKey, signature)).toBe(false)
  })

  test('does not show itself, and is no key that MACs', () => {
    const { privateKey } = open().keyPair('x')
    expect(JSON.stringify(privateKey)).toBe('{}')
    const seed = privateKey.export({ format: 'jwk' }).d ?? ''
    expect(hex(open().mac('x', []))).not.toContain(Buffer.from(seed, 'base64url').toString('hex'))
  })
})

describe('sealing', () => {
  test('every text comes back as it was', () => {
    const key = open()
    assert(
      property(string(), string(), string({ unit: 'grapheme' }), (...texts) => {
        const [purpose, context, text] = texts
        expect(key.open(purpose, context, key.seal(purpose, context, text))).toBe(text)
      }),
    )
  })

  test('one text sealed twice gives two blobs', () => {
    const key = open()
    expect(hex(key.seal('totp', 'u', 'text'))).not.toBe(hex(key.seal('totp', 'u', 'text')))
  })

  test('a blob with any one bit changed, or cut short, does not open', () => {
    const key = open()
    const blob = key.seal('totp', 'user-1', 'JBSWY3DPEHPK3PXP')
    for (let bit = 0; bit < blob.length * 8; bit += 1) {
      const changed = Uint8Array.from(blob, (byte, at) =>
        at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte,
      )
      expect(() => key.open('totp', 'user-1', changed)).toThrow('a sealed value does not open')
    }
    for (let length = 0; length < blob.length; length += 1)
      expect(() => key.open('totp', 'user-1', blob.subarray(0, length))).toThrow(Bug)
  })

  test('a blob opens under no other purpose, context or key', () => {
    const key = open()
    const blob = key.seal('totp', 'user-1', 'text')
    expect(() => key.open('webhook', 'user-1', blob)).toThrow(Bug)
    expect(() => key.open('totp', 'user-2', blob)).toThrow(Bug)
    // What stands before the seam and what after it must not be exchangeable.
    expect(() => key.open('totpu', 'ser-1', blob)).toThrow(Bug)
    expect(() => open(systemRandom.bytes(32)).open('totp', 'user-1', blob)).toThrow(Bug)
  })

  test('a blob of the first version can always be decrypted [K05]', () => {
    const blob = unhex(
      '01dbb982736573f462cb00ff188991076cf1648c2dcc3ae1cd0b72e7309fba113c7abb7e603c9d62a9bce45556',
    )
    expect(open().open('totp', 'user-1', blob)).toBe('JBSWY3DPEHPK3PXP')
  })
})

describe('the code of a row', () => {
  const field = oneof(string({ unit: 'grapheme' }), maxSafeInteger(), constant(null))
  const same = (one: Field[], other: Field[]) =>
    one.length === other.length && one.every((value, at) => value === other[at])
  const positive = (fields: Field[]) => fields.map((value) => (value === 0 ? 0 : value))

  test('verifies for its own fields and for no others', () => {
    const key = open()
    assert(
      property(array(field), array(field), (one, other) => {
        const mac = key.mac('row', one)
        expect(mac).toHaveLength(32)
        expect(key.verify('row', one, mac)).toBe(true)
        expect(key.verify('row', other, mac)).toBe(same(positive(one), positive(other)))
      }),
    )
  })

  test.each<[string, Field[], Field[]]>([
    ['a seam moved', ['ab', 'c'], ['a', 'bc']],
    ['a seam forged', ['a\u0002\0\0\0\u0001b', 'c'], ['a', 'b\u0002\0\0\0\u0001c']],
    ['a field joined', ['a', 'b'], ['ab']],
    ['an empty field more', ['a'], ['a', '']],
    ['null for the empty text', ['a', null], ['a', '']],
    ['a number for its digits', [1], ['1']],
    ['the order', ['a', 'b'], ['b', 'a']],
    ['nothing for one null', [], [null]],
  ])('tells apart %s', (_name, one, other) => {
    expect(open().verify('row', other, open().mac('row', one))).toBe(false)
  })

  test('fails for another purpose, another key, and a code that was cut, grown or changed', () => {
    const key = open()
    const mac = key.mac('row', ['a', 1])
    expect(key.verify('other', ['a', 1], mac)).toBe(false)
    expect(open(systemRandom.bytes(32)).verify('row', ['a', 1], mac)).toBe(false)
    expect(key.verify('row', ['a', 1], mac.subarray(0, 31))).toBe(false)
    expect(key.verify('row', ['a', 1], new Uint8Array([...mac, 0]))).toBe(false)
    expect(key.verify('row', ['a', 1], new Uint8Array(0))).toBe(false)
    const changed = Uint8Array.from(mac, (byte, at) => (at === 31 ? byte ^ 1 : byte))
    expect(key.verify('row', ['a', 1], changed)).toBe(false)
  })

  test.each([[0.5], [Number.NaN], [2 ** 53], ['\ud800'], ['a\udc00b']])(
    'is not made of %j, which would be ambiguous',
    (value) => {
      expect(() => open().mac('row', [value])).toThrow(Bug)
    },
  )

  test('never changes [K05]', () => {
    const mac = open().mac('user', ['018f0000-0000-7000-8000-000000000000', 'admin', 1, null])
    expect(hex(mac)).toBe('78157ee2d5fb321100e6ff9043bd13b95e57738f04d557589df1a423bfe82f10')
  })
})

describe('the key in its file', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-keys-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('a new file is for its owner alone, and gives the same key each time', () => {
    const path = join(folder, 'new')
    const blob = createServiceKeyFile(path, systemRandom).seal('totp', 'u', 'text')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, 'latin1')).toMatch(/^[0-9a-f]{64}\n$/)
    expect(loadServiceKey(path, systemRandom).open('totp', 'u', blob)).toBe('text')
  })

  test('an existing file is never overwritten', () => {
    const path = join(folder, 'kept')
    writeFileSync(path, 'something dear', { mode: 0o600 })
    expect(() => createServiceKeyFile(path, systemRandom)).toThrow(/already exists/)
    expect(readFileSync(path, 'latin1')).toBe('something dear')
  })

  test.each(['640', '620', '610', '604', '602', '601', '644', '666'])(
    'a file of mode %s is refused in words that say what to run',
    (mode) => {
      const path = join(folder, `mode-${mode}`)
      createServiceKeyFile(path, systemRandom)
      chmodSync(path, mode)
      expect(() => loadServiceKey(path, systemRandom)).toThrow(`chmod 600 ${path}`)
      chmodSync(path, 0o600)
      expect(() => loadServiceKey(path, systemRandom)).not.toThrow()
    },
  )

  test('32 bytes as they are, and 64 digits with or without a line end, are the same key', () => {
    const mac = open().mac('row', [1])
    const digits = hex(KEY)
    for (const content of [KEY, digits, `${digits}\n`, `${digits}\r\n`, digits.toUpperCase()]) {
      const path = join(folder, 'form')
      writeFileSync(path, content, { mode: 0o600 })
      expect(loadServiceKey(path, systemRandom).verify('row', [1], mac)).toBe(true)
    }
  })

  test.each([
    ['nothing', ''],
    ['31 bytes', 'x'.repeat(31)],
    ['33 bytes', 'x'.repeat(33)],
    ['64 characters that are no digits', 'z'.repeat(64)],
    ['63 digits', '0'.repeat(63)],
    ['a long file', '0'.repeat(70)],
  ])('a file that holds %s is refused', (_name, content) => {
    const path = join(folder, 'unfit')
    writeFileSync(path, content, { mode: 0o600 })
    expect(() => loadServiceKey(path, systemRandom)).toThrow(Misconfigured)
  })

  test('a missing file, a missing folder and a folder are refused in words', () => {
    const missing = join(folder, 'none')
    expect(() => loadServiceKey(missing, systemRandom)).toThrow(`${missing} does not exist`)
    expect(() => loadServiceKey(folder, systemRandom)).toThrow(Misconfigured)
    const deep = join(folder, 'no', 'where')
    expect(() => createServiceKeyFile(deep, systemRandom)).toThrow('a folder that does not exist')
  })

  test('a key of another length is a bug', () => {
    expect(() => open(new Uint8Array(31))).toThrow(Bug)
  })
})
