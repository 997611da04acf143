import { expect } from 'vitest'
import { AddressSet } from '../../src/accounts/address-set.ts'
import type { ChainAdapter } from '../../src/chains/chain-adapter.ts'
import type { Address, Block, BlockQuery, BlockScope } from '../../src/chains/port.ts'

/** A block as seen by a watcher of one address: equal for addresses as text and as bytes. */
export async function toldBlock(
  adapter: Pick<ChainAdapter, 'blockAt'>,
  query: BlockQuery,
  { address, tokens = [] }: { address: Address; tokens?: BlockScope['tokens'] },
): Promise<Block | null> {
  const known = new AddressSet()
  known.add(address)
  const scope = { tokens, mayWatch: (one: Address) => one === address }
  const byText = await adapter.blockAt(query, scope)
  const mayWatchBytes = (bytes: Uint8Array) => known.has(bytes)
  expect(await adapter.blockAt(query, { ...scope, mayWatchBytes })).toEqual(byText)
  return byText
}
