import { describe, expect, test } from 'vitest'
import { systemRandom } from '../base/random.ts'
import type { Random } from '../base/random.ts'
import { Outage } from '../base/fault.ts'
import { draw } from './draw.ts'
import { createSeed, importSeed, sealSeed } from './seed-file.ts'
import { openServiceKey } from './service-key.ts'
import { wrapByPassphrase } from './wrap-seed.ts'
import { Secret } from '../base/secret.ts'

const random = (bytes: (length: number) => Uint8Array): Random => ({ bytes, fraction: () => 0.5 })

const BROKEN: [string, Random][] = [
  [
    'throw',
    random(() => {
      throw new Error('entropy pool is empty')
    }),
  ],
  ['come up short', random((length) => systemRandom.bytes(length - 1))],
  ['give nothing', random(() => new Uint8Array(0))],
  ['give only zeros', random((length) => new Uint8Array(length))],
  ['give the same bytes again', random((length) => Uint8Array.from({ length }, (_, at) => at))],
]

describe.each(BROKEN)('K01 a random source that %s', (_name, broken) => {
  test('make no seed', () => {
    expect(() => createSeed(broken)).toThrow(Outage)
  })

  test('seal no value under the service key', () => {
    const serviceKey = openServiceKey({ key: systemRandom.bytes(32), random: broken })
    expect(() => serviceKey.seal('totp', 'user', 'text')).toThrow(Outage)
  })

  test('seal no seed', async () => {
    const wrapper = wrapByPassphrase({
      passphrase: new Secret('long enough, surely'),
      random: broken,
    })
    const seed = importSeed(createSeed(systemRandom))
    await expect(sealSeed(seed, wrapper, { now: 0 })).rejects.toThrow(Outage)
  })
})

test('createSeed reads exactly the bytes it uses [K01]', () => {
  expect(draw(systemRandom, 32)).toHaveLength(32)
})

test('500 new seeds of 24 words are all different [K01]', () => {
  const seeds = Array.from({ length: 500 }, () => createSeed(systemRandom).reveal())
  expect(new Set(seeds).size).toBe(500)
  expect(seeds.every((words) => words.split(' ').length === 24)).toBe(true)
})
