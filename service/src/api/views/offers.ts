import type { ChainEntry } from '../../catalogue/chains.ts'
import { type ChainState, readChainStates } from '../../catalogue/chain-state.ts'
import { chainEnabled, isVerifying, tokenEnabled } from '../../catalogue/enabled.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import type { TokenEntry } from '../../catalogue/tokens.ts'
import { readTokenChecks } from '../../catalogue/token-check.ts'
import { readSwitches } from '../../orgs/switches.ts'
import type { Tx } from '../../store/database.ts'

/** The chains and tokens that an organization can use now (engineering, 17). */
export interface Offers {
  chain(entry: ChainEntry): boolean
  token(entry: TokenEntry): boolean
  /** Whether the token only waits for the check of its contract. */
  isVerifying(entry: TokenEntry): boolean
  /** Whether the switches alone enable the token, verified or not. */
  switchedOn(entry: TokenEntry): boolean
  /** The two decisions about a chain or a token. */
  decisions(entry: { id: string; enabledByDefault?: boolean }): Decisions
  /** Null before a chain's first contact. */
  stateOf(chainId: string): ChainState | null
}

/** Who has a chain or a token enabled. */
export interface Decisions {
  enabledByOperator: boolean
  enabledByOrganization: boolean
}

/** Reads all inputs at once. */
export async function readOffers(
  tx: Tx,
  { catalogue, orgId }: { catalogue: Catalogue; orgId: string },
): Promise<Offers> {
  const [states, checks, switches] = await Promise.all([
    readChainStates(tx),
    readTokenChecks(tx),
    readSwitches(tx, orgId),
  ])
  const stateById = new Map<string, ChainState>(states.map((state) => [state.chainId, state]))
  const checkById = new Map(checks.map((check) => [check.tokenId, check]))
  const stateOf = (chainId: string) => stateById.get(chainId) ?? null
  const questionOf = ({ id, chainId }: TokenEntry) => {
    const check = checkById.get(id) ?? null
    return { catalogue, tokenId: id, state: stateOf(chainId), check, switches }
  }
  return {
    stateOf,
    chain: ({ id }) => chainEnabled({ catalogue, chainId: id, state: stateOf(id), switches }),
    token: (entry) => tokenEnabled(questionOf(entry)),
    isVerifying: (entry) => isVerifying(questionOf(entry)),
    switchedOn: ({ id, enabledByDefault }) => switches.isOn(id, enabledByDefault),
    decisions: ({ id, enabledByDefault = true }) => ({
      enabledByOperator: switches.byOperator(id, enabledByDefault),
      enabledByOrganization: switches.byOrganization(id),
    }),
  }
}
