import type { Catalogue } from '../catalogue/find.ts'
import { delegationHooks, fillerHooks, topUpHooks, undelegationHooks } from '../gas/hooks.ts'
import { sweepHooks } from '../sweeps/hooks.ts'
import { consolidationHooks } from '../transactions/consolidate.ts'
import type { HooksByPurpose } from '../transactions/core/hooks.ts'
import { withdrawalHooks } from '../withdrawals/settle/settle.ts'

/** The spend hooks of each purpose. */
export function openSpendHooks({ catalogue }: { catalogue: Catalogue }): HooksByPurpose {
  return {
    withdrawal: withdrawalHooks({ catalogue }),
    sweep: sweepHooks({ catalogue }),
    'top-up': topUpHooks({ catalogue }),
    filler: fillerHooks(),
    delegation: delegationHooks(),
    undelegation: undelegationHooks(),
    consolidation: consolidationHooks({ catalogue }),
  }
}
