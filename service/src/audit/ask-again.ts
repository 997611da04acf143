import type { TokenId } from '@sluice/wire'
import { nativeTokenId } from '../catalogue/chains.ts'
import type { Address } from '../chains/port.ts'
import type { Auditor, OwnAddress } from './auditor.ts'
import { compareAddresses } from './compare.ts'
import type { Question } from './expectations.ts'
import type { Comparison, Expectation } from './finding.ts'

/** Balances that are asked for again in one picture of the ledger. */
const BATCH = 500

/** How long what no node answered for is asked for again. */
export interface Again {
  /** Attempts in a row that bring nothing, after which it is left. */
  triesMax: number
  /** Lets the scanner come to the node's head, which may have moved on. */
  pause: () => Promise<void>
}

/**
 * Compares once more what was left out, each time at the tip of that moment, and hands over what
 * was compared. What is left in the end is left in `left`.
 */
export async function* askAgain(
  auditor: Auditor,
  left: Expectation[],
  { triesMax, pause }: Again,
): AsyncGenerator<readonly Comparison[]> {
  let tries = 0
  while (left.length > 0 && tries < triesMax) {
    await pause()
    const asked = left.splice(0, BATCH)
    const compared = await compareAddresses(auditor, questionOf(asked))
    left.push(...compared.left)
    tries = compared.comparisons.length === 0 ? tries + 1 : 0
    if (compared.comparisons.length > 0) yield compared.comparisons
  }
}

/** Asks for these balances alone. */
export function questionOf(
  asked: readonly Pick<Expectation, 'orgId' | 'address' | 'tokenId'>[],
): Question {
  const addresses = new Map<Address, OwnAddress>()
  const tokens = new Map<Address, TokenId[]>()
  for (const { orgId, address, tokenId } of asked) {
    addresses.set(address, { orgId, address })
    tokens.set(address, [...(tokens.get(address) ?? []), tokenId])
  }
  return { addresses: [...addresses.values()], tokens }
}

/**
 * Takes out the balances of listed tokens that the chain itself says are none, as on a chain of
 * development: a contract that is not there holds nothing. Where the ledger has something of such a
 * token, it stays.
 */
export async function withoutNoTokens(
  { adapter, entry }: Auditor,
  left: readonly Expectation[],
): Promise<{ left: Expectation[]; noTokens: TokenId[] }> {
  const native = nativeTokenId(entry)
  const asked = new Set(left.map(({ tokenId }) => tokenId).filter((id) => id !== native))
  const noTokens: TokenId[] = []
  for (const tokenId of asked) {
    if ((await adapter.inspectToken(tokenId)) === null) noTokens.push(tokenId)
  }
  const isNothing = ({ tokenId, expected }: Expectation) =>
    expected === 0n && noTokens.includes(tokenId)
  return { left: left.filter((one) => !isNothing(one)), noTokens }
}

/**
 * Which of these tokens tell no balance even at the head, of which every node knows the state:
 * their contract does not answer as a token does, or is not there. The native currency is none.
 */
export async function muteTokens(
  { adapter, entry }: Auditor,
  left: readonly Expectation[],
): Promise<Set<TokenId>> {
  const native = nativeTokenId(entry)
  const asked = new Map(left.map(({ tokenId, address }) => [tokenId, address]))
  const mute = new Set<TokenId>()
  for (const [tokenId, address] of asked) {
    if (tokenId === native) continue
    if ((await adapter.balanceOf(address, tokenId, 'head')) === null) mute.add(tokenId)
  }
  return mute
}
