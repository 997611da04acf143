import type { ChainId, TokenId } from '@sluice/wire'
import { type ChainState, readChainState } from '../catalogue/chain-state.ts'
import { Outage } from '../base/fault.ts'
import type { ChainPin } from '../chains/options.ts'
import type { BlockRef, Tip } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import { type Step, nextStep, ourFinal } from './reconcile.ts'
import { type KeptBlock, selectBlocks } from './rows.ts'
import type { Watcher } from './watcher.ts'

const KEPT_DEPTH_MIN = 64

/** Our side of a chain. */
export interface View {
  state: ChainState
  ours: readonly KeptBlock[]
  /** Coins of others to look for in blocks (`soughtCoins`). */
  seeks: ReadonlySet<string>
  /** Tokens that are read without being configured (`UnlistedTokens`). */
  unlisted: readonly TokenId[]
  /** Whether transfers or spends wait for confirmations, or nodes for the end of a dispute. */
  isAwaiting: boolean
}

/** The next step, as the nodes report the chain now. */
export interface Seen {
  step: Step
  /** Whether the node has our tip. */
  hasTip: boolean
  /** The tip of the node. */
  tip: Tip
  final: BlockRef | null
}

/** Compares our blocks with the node's, whose tip is given, and decides the next step. */
export async function look(
  watcher: Watcher,
  { state, ours }: Pick<View, 'state' | 'ours'>,
  tip: Tip,
): Promise<Seen> {
  const theirs = await theirBlock(watcher, state, tip)
  const final = theirs === null ? state.final : finalAmong(ours, state.final, tip)
  const { startHeight } = state
  const head = tip.head.height
  const isLoose = ours.at(-1)?.isLoose ?? false
  const standing = { ours, final: state.final, startHeight, isLoose }
  const step = nextStep({ ...standing, theirs, head, theirFinal: tip.final })
  const hasTip = theirs?.height === state.tip.height && theirs.hash === state.tip.hash
  return { step, hasTip, tip, final }
}

/**
 * Throws an Outage when a node serves another chain than the one that was pinned at first contact.
 */
export async function proveNodes(
  { adapter, entry }: Watcher,
  { state: { genesis }, ours }: Pick<View, 'state' | 'ours'>,
): Promise<void> {
  for (const { node, outcome } of await adapter.identify(pinOf(genesis, ours))) {
    if (outcome.state !== 'serves' || outcome.identity.genesis === genesis) continue
    throw new Outage(entry.id, `${node} serves another chain, which begins with another block`)
  }
}

/** A block of ours identifies a chain only when it is deeper than common reorgs. */
function pinOf(genesis: string, ours: readonly KeptBlock[]): ChainPin {
  const [oldest, newest] = [ours.at(0), ours.at(-1)]
  const isDeep = (newest?.height ?? 0) - (oldest?.height ?? 0) >= KEPT_DEPTH_MIN
  return { genesis, kept: isDeep ? (oldest ?? null) : null }
}

/** Stored identity of a chain; undefined before the first contact. */
export async function readPin(tx: Tx, chainId: ChainId): Promise<ChainPin | undefined> {
  const state = await readChainState(tx, chainId)
  return state === null ? undefined : pinOf(state.genesis, await selectBlocks(tx, chainId))
}

/** The block of the node at the height of our tip, or its head if that is lower. */
async function theirBlock(watcher: Watcher, state: ChainState, tip: Tip): Promise<BlockRef | null> {
  if (tip.head.height <= state.tip.height) return tip.head
  const { height } = state.tip
  const hash = await watcher.adapter.hashAt(height)
  return hash === null ? null : { height, hash }
}

/** The highest block of ours that was final before, or is by the tip of the node. */
export function finalAmong(
  ours: readonly BlockRef[],
  before: BlockRef | null,
  { final }: Pick<Tip, 'final'>,
): BlockRef | null {
  return higher(before, ourFinal({ ours, final }))
}

function higher(left: BlockRef | null, right: BlockRef | null): BlockRef | null {
  if (left === null || right === null) return left ?? right
  return right.height > left.height ? right : left
}
