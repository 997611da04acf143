import { readOwnAddress } from '../accounts/own-address.ts'
import { freeAt } from '../gas/holding.ts'
import { type Send, sendTopUp } from '../gas/send-top-up.ts'
import type { SweepDeps } from './deps.ts'
import type { Sweep } from './sweep.ts'

/** By how much a top-up exceeds what the sweep would cost now: fees rise while it is mined. */
const MARGIN_NUMERATOR = 5n

const MARGIN_DENOMINATOR = 4n

/**
 * `waits`: its address has enough gas, or gas is on the way. `unfilled`: its address is the gas
 * wallet, which only outside transfers fill. `no-gas`: its organization lacks gas. `refuses`: its
 * address accepts none. `stop`: signing is stopped on this chain.
 */
export type GasStep = 'topped-up' | 'waits' | 'unfilled' | 'no-gas' | 'refuses' | 'stop'

/** Gas that one sweep needs; amounts in base units of the native currency. */
export interface WantedGas {
  sweep: Sweep
  /** Fee of the sweep. */
  needed: bigint
  /** Balance of its address according to a node. */
  available: bigint
  send?: Send | undefined
}

/**
 * Sends gas for one sweep from the gas wallet. At most the fee cap, and none if the ledger already
 * places enough on the address: otherwise a false or late answer of a node would cause repeated
 * top-ups (N11).
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
  // It does not end other sweeps: their gas may be in place, or lent.
  if (placed === null) return 'unfilled'
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
