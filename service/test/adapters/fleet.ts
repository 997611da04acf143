import type { ChainId } from '@sluice/wire'
import { Outage } from '../../src/base/fault.ts'
import { openLog } from '../../src/base/log.ts'
import { openFailover } from '../../src/chains/failover.ts'
import type { NodeStanding } from '../../src/chains/failover.ts'
import { parseChain } from './brands.ts'

interface TestNode {
  name: string
  chainId: ChainId
  genesis: string
  head: number
  away: boolean
  asked: number
  looks: number
}

/** The chain of the fleet. */
export const CHAIN = parseChain('eip155:97')

/** Nodes that follow the test, behind a failover with its own clock. */
export function fleet(count: number) {
  let now = 1_000_000
  const lines: string[] = []
  const nodes: TestNode[] = Array.from({ length: count }, (_, at) => ({
    name: `node${at}`,
    chainId: CHAIN,
    genesis: '0xa',
    head: 100,
    away: false,
    asked: 0,
    looks: 0,
  }))
  const standingOf = async (node: TestNode): Promise<NodeStanding> => {
    node.looks += 1
    if (node.away) throw new Outage(node.name, 'away')
    return { identity: { chainId: node.chainId, genesis: node.genesis }, head: node.head }
  }
  const failover = openFailover({
    chainId: CHAIN,
    nodes,
    nameOf: ({ name }) => name,
    standingOf,
    clock: { now: () => now, sleep: () => Promise.resolve() },
    random: { bytes: (length) => new Uint8Array(length), fraction: () => 0.5 },
    log: openLog({
      level: 'info',
      pretty: false,
      destination: { write: (line) => void lines.push(line) },
    }),
  })
  const [first, second] = nodes
  if (!first) throw new Error('no node')
  const use = () =>
    failover.use(async (node) => {
      node.asked += 1
      if (node.away) throw new Outage(node.name, 'away')
      return node.name
    })
  const pass = (ms: number) => {
    now += ms
  }
  return { failover, nodes, first, second: second ?? first, use, pass, lines }
}

/** The Outage of the work; an error text if it succeeds. */
export const outageOf = (work: Promise<unknown>): Promise<Outage> =>
  work.then(
    () => new Outage('none', 'no outage'),
    (thrown: Outage) => thrown,
  )
