import type { Outgoing, SimChain, TrueBlock } from '../chains/sim-chain.ts'
import type { Picture } from '../picture.ts'
import type { SimWorld } from '../world.ts'

/** A chain as far as the service has read it. */
export interface ReadChain {
  chain: SimChain
  tip: { height: number; hash: string }
  final: number | null
  condition: string
  /** The blocks up to the tip, on the branch that it ends. */
  blocks: readonly TrueBlock[]
  /** In which of them a transaction is. */
  blockOf: ReadonlyMap<string, TrueBlock>
  /** Transfers from our addresses in them. */
  outgoing: readonly (Outgoing & { height: number })[]
}

/** The database's picture and the real chains at its cursors. */
export class View {
  readonly world: SimWorld
  readonly picture: Picture
  readonly read: readonly ReadChain[]
  readonly #own = new Map<string, { org: string; purpose: string }>()

  constructor(world: SimWorld, picture: Picture) {
    this.world = world
    this.picture = picture
    for (const { address, org, purpose } of picture.watched)
      this.#own.set(address, { org, purpose })
    this.read = picture.chains.flatMap((state) => {
      const chain = world.chain(state.id)
      const found = chain.branch(state.hash)
      if (found === null) {
        world.books.wrongs.push(`I14: the tip ${state.hash} of ${state.id} was never a block`)
        return []
      }
      const blocks = [...found]
      return [this.#readOf(chain, { ...state, tip: state }, blocks)]
    })
  }

  isOwn(address: string): boolean {
    return this.#own.has(address)
  }

  ownerOf(address: string): { org: string; purpose: string } | null {
    return this.#own.get(address) ?? null
  }

  #readOf(
    chain: SimChain,
    state: { tip: { height: number; hash: string }; final: number | null; condition: string },
    blocks: readonly TrueBlock[],
  ): ReadChain {
    const blockOf = new Map<string, TrueBlock>()
    for (const block of blocks) for (const txn of block.txns) blockOf.set(txn, block)
    const isOurs = (address: string) => this.isOwn(address)
    const outgoing = blocks.flatMap((block) =>
      block.txns.length === 0
        ? []
        : chain.outgoing(block.hash, isOurs).map((one) => ({ ...one, height: block.height })),
    )
    const { tip, final, condition } = state
    return { chain, tip, final, condition, blocks, blockOf, outgoing }
  }
}
