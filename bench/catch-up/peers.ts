import { withSession } from '../../service/src/store/connection.ts'
import { CHAIN } from '../chain/plan.ts'
import { startChild } from '../harness/children.ts'
import { type Reading, type Side, type Skipped, check } from '../harness/measure.ts'
import { PEER_TABLE, requirePeer } from './peer-kit.ts'
import { WARM_BLOCKS } from './ours.ts'
import type { Stage } from './stage.ts'

/** Another scanner, and how far ahead of it we must and would be. */
export interface Peer extends Side {
  floor: number
  goal: number
}

interface Candidate {
  name: string
  /** The package that must be installed. */
  needs: string
  program: URL
  floor: number
  goal: number
}

const CANDIDATES: readonly Candidate[] = [
  {
    name: 'SQD processor',
    needs: '@subsquid/evm-processor',
    program: new URL('sqd.ts', import.meta.url),
    floor: 4,
    goal: 8,
  },
  {
    name: 'viem loop',
    needs: 'viem',
    program: new URL('viem-loop.ts', import.meta.url),
    floor: 8,
    goal: 20,
  },
]

const NOT_TRIED: readonly Skipped[] = [
  { name: 'Ponder', reason: 'not measured: it requires a whole application' },
  { name: 'Envio HyperIndex', reason: 'not measured: it wants Docker and its own PostgreSQL' },
]

/** The peers that are installed, and why others are left out. */
export function findPeers(stage: Stage, peerBlocks: number): { peers: Peer[]; skipped: Skipped[] } {
  const installed = CANDIDATES.filter(({ needs }) => isInstalled(needs))
  const missing = CANDIDATES.filter((candidate) => !installed.includes(candidate))
  return {
    peers: installed.map((candidate) => ({
      ...candidate,
      run: () => runPeer(stage, candidate, peerBlocks),
    })),
    skipped: [
      ...missing.map(({ name, needs }) => ({ name, reason: notInstalled(needs) })),
      ...NOT_TRIED,
    ],
  }
}

/** Whether a package of the peers can be found. */
export function isInstalled(name: string): boolean {
  try {
    requirePeer.resolve(name)
    return true
  } catch {
    return false
  }
}

export function notInstalled(name: string): string {
  return `${name} is not installed: npm ci --prefix bench/peers`
}

async function runPeer(stage: Stage, peer: Candidate, blocks: number): Promise<Reading> {
  const { postgres, node, watched } = stage
  await postgres.create('bench_peer')
  const databaseUrl = postgres.adminUrl('bench_peer')
  await withSession(databaseUrl, (session) => session.script(PEER_TABLE))
  const first = CHAIN.origin + WARM_BLOCKS + 1
  const last = Math.min(node.last, first + blocks - 1)
  node.setHead(node.last)
  const args = [node.url, first, last, watched, databaseUrl]
  const child = await startChild<Reading & { ok: boolean }>(peer.program, args)
  try {
    const reading = await child.hear((news) => news, 600_000)
    check(reading.ok, `payments found by ${peer.name}`, reading)
    return { rate: reading.rate }
  } finally {
    await child.stop()
    await postgres.drop('bench_peer')
  }
}
