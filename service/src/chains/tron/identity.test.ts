import { answerTron, SHASTA_GENESIS, TronChain } from '@sluice/simulator'
import { expect, test } from 'vitest'
import { parseChain } from '../../../test/adapters/brands.ts'
import { Outage } from '../../base/fault.ts'
import { parseBodyExactly } from '../parse-body.ts'
import { MAIN_NETWORK } from './chain-ids.ts'
import { type KnownChain, readStanding } from './identity.ts'
import { NodeRefusal, type TronNode } from './tron-node.ts'

const SHASTA = parseChain('tron:shasta')
const PRIVATE = `0000000000000000${'5a'.repeat(24)}`
const PUBLIC: KnownChain = { chainId: SHASTA, genesis: null, pin: null }
const ONE_CHAIN = new TronChain()
ONE_CHAIN.mine(9)

interface Lacking {
  chain?: TronChain
  /** Blocks below this height are not there. */
  below?: number
  /** The protocol version of `getnodeinfo`; omitted if the node declines to answer. */
  p2pVersion?: string
  /** Refuses to answer for blocks by height. */
  declines?: boolean
}

/** A node that lacks a part of its chain. */
function nodeOf(options: Lacking): TronNode {
  const { chain = ONE_CHAIN, below = 0, p2pVersion, declines = false } = options
  return {
    name: 'node',
    ask: async ({ side = 'wallet', method, params = {} }) => {
      if (method === 'getnodeinfo') {
        if (p2pVersion === undefined) throw new NodeRefusal('node', method, 'declined')
        return { configNodeInfo: { p2pVersion } }
      }
      const which = params['id_or_num']
      if (which !== undefined && declines) throw new NodeRefusal('node', method, 'declined')
      if (which !== undefined && Number(which) < below) return {}
      const { body } = answerTron(chain, `/${side}/${method}`, JSON.stringify(params))
      return parseBodyExactly('node', Buffer.from(body))
    },
  }
}

function idAt(height: number, chain = ONE_CHAIN): string {
  return chain.at(height)?.id ?? ''
}

function pinnedAt(height: number, chain = ONE_CHAIN): KnownChain['pin'] {
  return { genesis: SHASTA_GENESIS, kept: { height, hash: idAt(height, chain) } }
}

/** Another chain, with other blocks at every height. */
function otherChain(genesisId = PRIVATE): TronChain {
  const chain = new TronChain({ genesisId })
  chain.mine(9)
  return chain
}

test('names a public chain by its first block', async () => {
  expect(await readStanding(nodeOf({}), PUBLIC)).toEqual({
    identity: { chainId: SHASTA, genesis: SHASTA_GENESIS },
    head: 9,
  })
  const { identity } = await readStanding(nodeOf({ chain: otherChain() }), PUBLIC)
  expect(identity.chainId).toBe('tron:0x5a5a5a5a')
})

test('serves a private network whose first block the operator names', async () => {
  const known = { ...PUBLIC, genesis: PRIVATE }
  const { identity } = await readStanding(nodeOf({ chain: otherChain() }), known)
  expect(identity).toEqual({ chainId: SHASTA, genesis: PRIVATE })
  const stranger = await readStanding(nodeOf({}), known)
  expect(stranger.identity.chainId).toBe('tron:0x94a9059e')
})

test('serves a private network by a later block if its nodes lack the first', async () => {
  const chain = otherChain()
  const known = { ...PUBLIC, genesis: idAt(4, chain) }
  for (const below of [0, 3]) {
    const { identity } = await readStanding(nodeOf({ chain, below }), known)
    expect(identity).toEqual({ chainId: SHASTA, genesis: idAt(4, chain) })
  }
  const stranger = await readStanding(nodeOf({}), known)
  expect(stranger.identity.chainId).not.toBe(SHASTA)
})

test.each<[string, Lacking]>([
  ['lacks', { below: 3 }],
  ['declines to answer for', { declines: true }],
])('is an outage before first contact if the node %s its first block', async (_, lacking) => {
  await expect(readStanding(nodeOf(lacking), PUBLIC)).rejects.toThrow(Outage)
})

test('knows a node without its first block by a block of ours', async () => {
  const known = { ...PUBLIC, pin: pinnedAt(5) }
  const { identity } = await readStanding(nodeOf({ below: 3 }), known)
  expect(identity).toEqual({ chainId: SHASTA, genesis: SHASTA_GENESIS })
})

test('names another chain by its block at the height of ours', async () => {
  const node = nodeOf({ chain: otherChain(), below: 3 })
  const { identity } = await readStanding(node, { ...PUBLIC, pin: pinnedAt(5) })
  expect(identity.chainId).not.toBe(SHASTA)
})

test('knows a lite node of the main network by its protocol version', async () => {
  const node = nodeOf({ below: 3, p2pVersion: '11111' })
  expect((await readStanding(node, PUBLIC)).identity).toEqual(MAIN_NETWORK)
  const other = nodeOf({ below: 3, p2pVersion: '20260000' })
  await expect(readStanding(other, PUBLIC)).rejects.toThrow(Outage)
})
