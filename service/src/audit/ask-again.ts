import type { TokenId } from '@sluice/wire'
import { nativeTokenId } from '../catalogue/chains.ts'
import type { Address } from '../chains/port.ts'
import type { Auditor, OwnAddress } from './auditor.ts'
import { compareAddresses } from './compare.ts'
import type { Question } from './expectations.ts'
import type { Comparison, Expectation } from './finding.ts'

/** Balances that are queried again in one snapshot of the ledger. */
const BATCH = 500

/** How long unanswered balances are queried again. */
export interface Again {
  /** Attempts in a row without an answer after which the audit gives up. */
  triesMax: number
  /** Lets the scanner reach the head of the node, which may have moved. */
  pause: () => Promise<void>
}

/**
 * Compares the balances in `left` again, each time at the tip of that moment, and yields the
 * comparisons. Balances without an answer remain in `left`.
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

/** A question about exactly these balances. */
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
 * Removes the balances of listed tokens that do not exist on the chain, as on a development chain,
 * unless the ledger has some of the token.
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
 * Tokens whose contract reports no balance even at the head, of which every node has the state;
 * never the native token.
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
