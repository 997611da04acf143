import { describe, expect, test } from 'vitest'
import { parseChain } from '../../test/adapters/brands.ts'
import { CHAIN, fleet, outageOf } from '../../test/adapters/fleet.ts'
import { Bug } from '../base/assert.ts'
import { Outage } from '../base/fault.ts'
import { LAG_BLOCKS_MAX, SEQUENCE_MAX_MS } from './failover.ts'

describe('several nodes of a chain', () => {
  test('the first serves while it can', async () => {
    const { use } = fleet(3)
    expect([await use(), await use()]).toEqual(['node0', 'node0'])
  })

  test('the next takes over from one that fails, until that is tried again', async () => {
    const { use, first, pass } = fleet(2)
    first.away = true
    expect([await use(), await use(), first.asked]).toEqual(['node1', 'node1', 0])
    first.away = false
    pass(1_000)
    expect(await use()).toBe('node0')
  })

  test('a node that goes on failing is asked ever more rarely [N07]', async () => {
    const { use, first, pass } = fleet(1)
    await use()
    first.away = true
    for (let second = 0; second < 600; second += 1) {
      await use().catch(() => undefined)
      pass(100)
    }
    expect(first.asked).toBeLessThan(12)
  })

  test('a node that asks for a pause gets it [N07]', async () => {
    const { failover, pass } = fleet(1)
    let asked = 0
    const busy = () =>
      failover.use(async () => {
        asked += 1
        throw new Outage('node0', 'answered HTTP 429', { retryAfterMs: 20_000 })
      })
    expect((await outageOf(busy())).retryAfterMs).toBeGreaterThanOrEqual(20_000)
    pass(19_999)
    await outageOf(busy())
    expect(asked).toBe(1)
    pass(2_500)
    await outageOf(busy())
    expect(asked).toBe(2)
  })

  test('an outage of all says why and when to come back', async () => {
    const { use, nodes } = fleet(2)
    for (const node of nodes) node.away = true
    const outage = await outageOf(use())
    expect(outage.message).toContain('no node can answer: node0: away')
    expect(outage.retryAfterMs).toBeGreaterThan(0)
  })

  test('calls that fail together count as one failure', async () => {
    const { use, first } = fleet(1)
    await use()
    first.away = true
    const outages = await Promise.all(Array.from({ length: 20 }, () => outageOf(use())))
    expect(Math.max(...outages.map(({ retryAfterMs }) => retryAfterMs ?? 0))).toBeLessThan(500)
  })

  test('a call under way when another failed does not count when it fails', async () => {
    const { failover, use, first, pass } = fleet(1)
    await use()
    let fail: (outage: Outage) => void = () => undefined
    const late = failover.use(() => new Promise((_, reject) => (fail = reject)))
    first.away = true
    await outageOf(use())
    first.away = false
    pass(3_000)
    fail(new Outage('node0', 'no answer within 3000 ms'))
    await outageOf(late)
    expect(await use()).toBe('node0')
  })

  test('a node that recovered is soon trusted as before', async () => {
    const { use, first, pass } = fleet(1)
    await use()
    for (let round = 0; round < 6; round += 1) {
      first.away = true
      await outageOf(use())
      pass(60_000)
      first.away = false
      await use()
    }
    first.away = true
    expect((await outageOf(use())).retryAfterMs).toBeLessThan(500)
  })

  test('a node with a past outage and rare errors is soon trusted again [N07]', async () => {
    const { failover, use, first, pass } = fleet(1)
    first.away = true
    for (let second = 0; second < 60; second += 1) {
      await outageOf(use())
      pass(1_000)
    }
    let asked = 0
    first.away = false
    for (let tenth = 0; tenth < 3_000; tenth += 1) {
      const work = failover.use(async ({ name }) => {
        asked += 1
        if (asked % 10 === 0) throw new Outage(name, 'answered HTTP 503')
      })
      await work.catch(() => undefined)
      pass(100)
    }
    expect(asked).toBeGreaterThan(2_000)
  })

  test('a call that fails at the only node is asked again at once [N07]', async () => {
    const { failover, pass } = fleet(1)
    let asked = 0
    const everyThird = () =>
      failover.use(async ({ name }) => {
        asked += 1
        pass(5)
        if (asked % 3 !== 0) throw new Outage(name, 'answered HTTP 503')
        return asked
      })
    expect([await everyThird(), await everyThird()]).toEqual([3, 6])
  })

  test('the only node is left alone after three failures running [N07]', async () => {
    const { failover, pass } = fleet(1)
    let asked = 0
    const failing = () =>
      failover.use(async ({ name }) => {
        asked += 1
        pass(5)
        throw new Outage(name, 'answered HTTP 503')
      })
    expect((await outageOf(failing())).retryAfterMs).toBeGreaterThan(0)
    await outageOf(failing())
    expect(asked).toBe(3)
  })

  test('of two nodes the one that is left is asked again at once [N07]', async () => {
    const { failover, first, pass } = fleet(2)
    let asked = 0
    const work = () =>
      failover.use(async (node) => {
        pass(5)
        if (node === first) throw new Outage(node.name, 'answered HTTP 503')
        asked += 1
        if (asked === 1) throw new Outage(node.name, 'answered HTTP 503')
        return node.name
      })
    expect([await work(), asked]).toEqual(['node1', 2])
  })

  test('what took long at the only node is not asked again at once [N07]', async () => {
    const { failover, pass } = fleet(1)
    let asked = 0
    const slow = failover.use(async ({ name }) => {
      asked += 1
      pass(3_000)
      throw new Outage(name, 'no answer within 3000 ms')
    })
    expect((await outageOf(slow)).retryAfterMs).toBeGreaterThan(0)
    expect(asked).toBe(1)
  })

  test('many who want a node at the same time ask once who it is', async () => {
    const { use, first } = fleet(1)
    await Promise.all(Array.from({ length: 10 }, use))
    expect([first.looks, first.asked]).toEqual([1, 10])
  })

  test('a bug is thrown at once and sets no node aside', async () => {
    const { failover, use } = fleet(2)
    const bug = new Bug('ours')
    await expect(failover.use(() => Promise.reject(bug))).rejects.toBe(bug)
    expect(await use()).toBe('node0')
  })

  test('a sequence that took too long tries no further node', async () => {
    const { failover, pass, second } = fleet(2)
    const work = failover.use(async (node) => {
      node.asked += 1
      pass(SEQUENCE_MAX_MS + 1)
      throw new Outage(node.name, 'slow')
    })
    await outageOf(work)
    expect(second.asked).toBe(0)
  })

  test('a result missing on one node is read from another; null if all lack it', async () => {
    const { failover } = fleet(3)
    const find = (owner: string) =>
      failover.find(async ({ name }) => (name === owner ? `found at ${name}` : null))
    expect([await find('node2'), await find('nobody')]).toEqual(['found at node2', null])
  })

  test('a result missing on all nodes sets no node aside', async () => {
    const { failover, use, second, lines } = fleet(2)
    const lack = new Outage(CHAIN, 'is not ready')
    expect(await outageOf(failover.use(() => Promise.reject(lack)))).toBe(lack)
    expect([await use(), second.looks, lines]).toEqual(['node0', 0, []])
  })

  test('nodes that were all away serve again once they are back [N14]', async () => {
    const { use, nodes, pass } = fleet(2)
    for (const node of nodes) node.away = true
    for (let at = 0; at < 100; at += 1) {
      await outageOf(use())
      pass(18_000)
    }
    for (const node of nodes) node.away = false
    expect(await use()).toBe('node0')
  })
})

describe('the log of a node', () => {
  const parsed = (lines: readonly string[]) => lines.map((line) => JSON.parse(line))

  test('has one line when it goes down and one when it is back', async () => {
    const { use, first, pass, lines } = fleet(1)
    await use()
    first.away = true
    for (let call = 0; call < 200; call += 1) {
      await outageOf(use())
      pass(600)
    }
    first.away = false
    pass(60_000)
    await use()
    await use()
    expect(parsed(lines)).toMatchObject([
      { level: 'warn', node: 'node0', reason: 'node0: away', msg: 'node is down' },
      { level: 'info', node: 'node0', msg: 'node is back' },
    ])
    const { failures, ms } = parsed(lines)[1]
    expect(failures).toBeGreaterThan(2)
    expect(ms).toBeGreaterThanOrEqual(60_000)
    expect(lines.join('')).not.toContain('stack')
  })

  test('has both lines for a node that is only asked who it is', async () => {
    const { failover, second, pass, lines } = fleet(2)
    second.away = true
    for (let minute = 0; minute < 10; minute += 1) {
      await failover.identify()
      pass(60_000)
    }
    second.away = false
    await failover.identify()
    await failover.identify()
    expect(parsed(lines)).toMatchObject([{ msg: 'node is down' }, { msg: 'node is back' }])
  })

  test('leaves nothing to log for those who asked', async () => {
    const { use, first } = fleet(1)
    first.away = true
    expect((await outageOf(use())).isLogged).toBe(true)
  })
})

describe('the identity of nodes', () => {
  test('a node of another chain is never asked for anything [N06]', async () => {
    const { use, first, lines } = fleet(2)
    first.chainId = parseChain('eip155:1')
    expect([await use(), await use(), first.asked]).toEqual(['node1', 'node1', 0])
    expect(lines.filter((line) => line.includes('another chain'))).toHaveLength(1)
  })

  test('a node that changes its chain at runtime is found by the next look [N06]', async () => {
    const { use, first, failover } = fleet(1)
    expect(await use()).toBe('node0')
    first.chainId = parseChain('eip155:1')
    const [report] = await failover.identify()
    expect(report).toEqual({
      node: 'node0',
      ms: 0,
      outcome: {
        state: 'wrong-chain',
        expected: 'eip155:97 with genesis 0xa',
        answered: 'eip155:1 with genesis 0xa',
      },
    })
    expect((await outageOf(use())).message).toContain('every node serves another chain')
    first.chainId = CHAIN
    await failover.identify()
    expect(await use()).toBe('node0')
  })

  test('a node with another genesis than the first is of another chain [N06]', async () => {
    const { failover, second } = fleet(2)
    second.genesis = '0xb'
    const states = (await failover.identify()).map(({ outcome }) => outcome.state)
    expect(states).toEqual(['serves', 'wrong-chain'])
  })

  test('a node is identified again after an outage, before it serves [N06]', async () => {
    const { use, first, pass } = fleet(2)
    await use()
    first.away = true
    await use()
    first.away = false
    first.genesis = '0xb'
    pass(60_000)
    expect(await use()).toBe('node1')
  })

  test('a node that is down is reported as such, and the others too', async () => {
    const { failover, first } = fleet(2)
    first.away = true
    expect((await failover.identify()).map(({ outcome }) => outcome)).toEqual([
      { state: 'unreachable', reason: 'node0: away' },
      { state: 'serves', identity: { chainId: CHAIN, genesis: '0xa' }, head: 100 },
    ])
  })

  test('a node that lags is asked only when no other is left', async () => {
    const { failover, use, first, second, pass } = fleet(2)
    second.head = first.head + LAG_BLOCKS_MAX + 1
    await failover.identify()
    expect(await use()).toBe('node1')
    second.away = true
    expect(await use()).toBe('node0')
    first.head = second.head
    second.away = false
    pass(60_000)
    await failover.identify()
    expect(await use()).toBe('node0')
  })

  test('the other fit nodes are known', async () => {
    const { failover, nodes, first, use } = fleet(3)
    expect(failover.others(first)).toEqual(nodes.slice(1))
    first.away = true
    await use()
    expect([failover.others(nodes[1] ?? first), failover.all()]).toEqual([nodes.slice(2), nodes])
  })

  test('a node that is asked beside another has said who it is [N06]', async () => {
    const { failover, use, first, second, pass } = fleet(2)
    await use()
    const [beside] = failover.others(first)
    expect([beside, second.looks]).toEqual([second, 0])
    await failover.proven(second)
    expect([await failover.proven(second), second.looks]).toEqual([second, 1])
    second.away = true
    await failover.identify()
    const looks = second.looks
    expect((await outageOf(failover.proven(second))).message).toContain('away')
    second.away = false
    second.genesis = '0xb'
    pass(60_000)
    expect((await outageOf(failover.proven(second))).message).toContain('another chain')
    expect([second.looks, failover.others(first)]).toEqual([looks + 2, []])
  })

  test('heights seen are kept for each node', () => {
    const { failover, first, second } = fleet(2)
    failover.saw(first, 7)
    expect([failover.seen(first), failover.seen(second)]).toEqual([7, null])
  })
})
