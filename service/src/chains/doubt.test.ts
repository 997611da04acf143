import { expect, test } from 'vitest'
import { parseChain } from '../../test/adapters/brands.ts'
import { Outage } from '../base/fault.ts'
import { openLog } from '../base/log.ts'
import { Doubt, worstError } from './doubt.ts'
import { openFailover } from './failover.ts'

const CHAIN = parseChain('eip155:97')

function fleet(count: number) {
  const lines: string[] = []
  const nodes = Array.from({ length: count }, (_, at) => `node${at}`)
  const failover = openFailover({
    chainId: CHAIN,
    nodes,
    nameOf: (name) => name,
    standingOf: async () => ({ identity: { chainId: CHAIN, genesis: '0xa' }, head: 100 }),
    clock: { now: () => 1_000_000, sleep: () => Promise.resolve() },
    random: { bytes: (length) => new Uint8Array(length), fraction: () => 0.5 },
    log: openLog({
      level: 'debug',
      pretty: false,
      destination: { write: (line) => void lines.push(line) },
    }),
  })
  return { failover, lines }
}

test('a payment that every node doubts never sets a node aside [W20]', async () => {
  const { failover, lines } = fleet(2)
  const asked: string[] = []
  for (let times = 0; times < 10; times += 1) {
    const work = failover.use(async (name) => {
      asked.push(name)
      throw new Doubt(name, 'returns an unknown error')
    })
    await expect(work).rejects.toThrow('node0: returns an unknown error')
  }
  expect(asked).toEqual(Array.from({ length: 10 }, () => ['node0', 'node1']).flat())
  expect([await failover.use(async (name) => name), lines]).toEqual(['node0', []])
})

test('a payment that one node doubts is what the next one says [W20]', async () => {
  const { failover } = fleet(2)
  const ask = () =>
    failover.use(async (name) => {
      if (name === 'node0') throw new Doubt(name, 'returns an unknown error')
      return name
    })
  expect([await ask(), await ask()]).toEqual(['node1', 'node1'])
})

test('a payment that one node doubts stays a doubt when the other is down [W20]', async () => {
  const { failover } = fleet(2)
  const work = failover.use(async (name) => {
    throw name === 'node0' ? new Doubt(name, 'returns an unknown error') : new Outage(name, 'away')
  })
  await expect(work).rejects.toBeInstanceOf(Doubt)
})

test('several failures throw the one that is not a doubt', () => {
  const [doubt, other, outage] = [
    new Doubt('node0', 'one'),
    new Doubt('node0', 'other'),
    new Outage('node0', 'away'),
  ]
  expect(worstError([doubt, other, outage])).toBe(outage)
  expect(worstError([doubt, other])).toBe(doubt)
})
