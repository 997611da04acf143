import type { ChainStatus } from '@sluice/wire'
import { type Millis, iso } from '../../base/clock.ts'
import { countNodes } from '../../catalogue/chain-nodes.ts'
import { type ChainState, maySpend, progressOf } from '../../catalogue/chain-state.ts'
import type { ChainEntry } from '../../catalogue/chains.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import type { Tx } from '../../store/database.ts'
import { readOffers } from './offers.ts'

/** The status of each configured chain for an organization, from stored rows alone. */
export async function readChainStatuses(
  tx: Tx,
  { catalogue, orgId }: { catalogue: Catalogue; orgId: string },
): Promise<ChainStatus[]> {
  const [offers, counts] = await Promise.all([readOffers(tx, { catalogue, orgId }), countNodes(tx)])
  return catalogue.chains
    .filter(({ id }) => catalogue.isConfigured(id))
    .map((entry) => {
      const count = counts.get(entry.id)
      return {
        ...standingOf(entry, { state: offers.stateOf(entry.id), now: tx.clock.now() }),
        ...serviceOf(offers.stateOf(entry.id), offers.chain(entry)),
        nodes:
          count === undefined
            ? null
            : {
                answering: count.answering,
                total: count.total,
                checkedAt: iso(count.checkedAt),
              },
      }
    })
}

function standingOf(
  { id: chainId, name }: ChainEntry,
  { state, now }: { state: ChainState | null; now: Millis },
): Omit<ChainStatus, 'enabled' | 'deposits' | 'withdrawals' | 'nodes'> {
  if (state === null) {
    const unknown = { tip: null, head: null, final: null, lag: null, lastReorg: null }
    return { chainId, name, condition: 'unreached', ...unknown }
  }
  return { chainId, name, ...progressOf(state, now) }
}

/** A frozen chain credits no deposit, and a halted one is not even scanned. */
function serviceOf(
  state: ChainState | null,
  enabled: boolean,
): Pick<ChainStatus, 'enabled' | 'deposits' | 'withdrawals'> {
  return {
    enabled,
    deposits: enabled && state?.condition === 'running',
    withdrawals: enabled && maySpend(state),
  }
}
