import { describe, expect, test } from 'vitest'
import { systemDice } from '../base/dice.ts'
import type { Dice } from '../base/dice.ts'
import { Outage } from '../base/fault.ts'
import { draw } from './draw.ts'
import { createSeed, importSeed, sealSeed } from './seed-file.ts'
import { openServiceKey } from './service-key.ts'
import { wrapByPassphrase } from './wrap-seed.ts'
import { Secret } from '../base/secret.ts'

const dice = (bytes: (length: number) => Uint8Array): Dice => ({ bytes, fraction: () => 0.5 })

const BROKEN: [string, Dice][] = [
  [
    'throw',
    dice(() => {
      throw new Error('entropy pool is empty')
    }),
  ],
  ['come up short', dice((length) => systemDice.bytes(length - 1))],
  ['give nothing', dice(() => new Uint8Array(0))],
  ['give only zeros', dice((length) => new Uint8Array(length))],
  ['give the same bytes again', dice((length) => Uint8Array.from({ length }, (_, at) => at))],
]

describe.each(BROKEN)('K01 dice that %s', (_name, broken) => {
  test('make no seed', () => {
    expect(() => createSeed(broken)).toThrow(Outage)
  })

  test('seal no value under the service key', () => {
    const serviceKey = openServiceKey({ key: systemDice.bytes(32), dice: broken })
    expect(() => serviceKey.seal('totp', 'user', 'text')).toThrow(Outage)
  })

  test('seal no seed', async () => {
    const wrapper = wrapByPassphrase({
      passphrase: new Secret('long enough, surely'),
      dice: broken,
    })
    const seed = importSeed(createSeed(systemDice))
    await expect(sealSeed(seed, wrapper, { now: 0 })).rejects.toThrow(Outage)
  })
})

test('createSeed reads exactly the bytes it uses [K01]', () => {
  expect(draw(systemDice, 32)).toHaveLength(32)
})

test('500 new seeds of 24 words are all different [K01]', () => {
  const seeds = Array.from({ length: 500 }, () => createSeed(systemDice).reveal())
  expect(new Set(seeds).size).toBe(500)
  expect(seeds.every((words) => words.split(' ').length === 24)).toBe(true)
})
