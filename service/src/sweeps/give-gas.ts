import { readOwnAddress } from '../accounts/own-address.ts'
import { freeAt } from '../gas/holding.ts'
import { type Send, sendTopUp } from '../gas/send-top-up.ts'
import type { SweepDeps } from './means.ts'
import type { Sweep } from './sweep.ts'

/** By how much a top-up exceeds what the sweep would cost now: fees rise while it is mined. */
const MARGIN_NUMERATOR = 5n

const MARGIN_DENOMINATOR = 4n

/**
 * `waits`: its address has enough, or somebody is at it, or it is the gas wallet itself, which is
 * filled from outside alone. `no-gas`: its organization has none for it now. `refuses`: its address
 * takes none. `stop`: nothing can be signed on this chain now.
 */
export type GasStep = 'topped-up' | 'waits' | 'no-gas' | 'refuses' | 'stop'

/** Gas that one sweep needs; amounts in base units of the native currency. */
export interface WantedGas {
  sweep: Sweep
  /** Fee of the sweep. */
  needed: bigint
  /** What a node says is on its address. */
  available: bigint
  send?: Send | undefined
}

/**
 * Sends gas for one sweep from the gas wallet; amounts in base units of the native currency. At most
 * the fee cap, and nothing to an address that already received it according to the ledger: a node
 * that lies or lags would make it send again (N11).
 */
export async function giveGas(
  deps: SweepDeps,
  { sweep, send, needed, available }: WantedGas,
): Promise<GasStep> {
  const { orgId, address, chainId } = sweep
  const { absolute } = deps.caps
  const native = deps.catalogue.nativeToken(chainId).id
  const placed = await deps.database.transaction(async (tx) => {
    if ((await readOwnAddress(tx, { orgId, chainId, purpose: 'gas' })) === address) return null
    return freeAt(tx, { orgId, chainId, native, kind: 'deposits', address })
  })
  // What a token there lacks says nothing of other sweeps: their gas may be in place, or lent.
  if (placed === null) return 'waits'
  const most = needed < absolute ? needed : absolute
  const there = placed > available ? placed : available
  const amount = (most * MARGIN_NUMERATOR) / MARGIN_DENOMINATOR - there
  if (amount <= 0n) return 'waits'
  const wanted = { orgId, address, place: 'deposits', amount } as const
  const { outcome, refusal } = await sendTopUp(deps, wanted, send)
  deps.crash?.('sweep.topped-up')
  switch (outcome) {
    case 'sent':
      return 'topped-up'
    case 'frozen':
      return 'stop'
    case 'refused':
      return refusal === 'RECIPIENT_REFUSES' ? 'refuses' : 'no-gas'
    case 'declined':
    case 'busy':
      return 'waits'
    default:
      return 'no-gas'
  }
}
