import type { Catalogue } from '../catalogue/find.ts'
import { delegationFate, undelegationFate } from '../gas/loan-fates.ts'
import { fillerFate, topUpFate } from '../gas/settle.ts'
import { consolidationFate } from '../transactions/utxo/consolidate.ts'
import type { SpendFates } from '../transactions/core/fates.ts'
import { sweepFate } from '../sweeps/settle.ts'
import { withdrawalFate } from '../withdrawals/settle/settle.ts'

/** Who is told what becomes of a spend, by what it was sent for. */
export function openSpendFates({ catalogue }: { catalogue: Catalogue }): SpendFates {
  return {
    withdrawal: withdrawalFate({ catalogue }),
    sweep: sweepFate({ catalogue }),
    'top-up': topUpFate({ catalogue }),
    filler: fillerFate(),
    delegation: delegationFate(),
    undelegation: undelegationFate(),
    consolidation: consolidationFate({ catalogue }),
  }
}
