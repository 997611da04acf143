import type { Alert, EventPayloads, GasWallet, RecordedEvent } from '@sluice/client'
import { chainOfAlert } from './attention.ts'

/** A low gas wallet. */
export interface LowGas {
  /** How many token sweeps it paid for when it was checked; null if no event says. */
  sweepsLeft: number | null
  since: string
}

/** Whether a wallet is low: an alert is open. The newest event of its chain says how low. */
export function lowGasOf(
  { chainId }: Pick<GasWallet, 'chainId'>,
  alerts: readonly Alert[],
  warnings: readonly RecordedEvent[],
): LowGas | null {
  const alert = alerts.find(
    ({ code, subject }) => code === 'gas.low' && chainOfAlert(subject) === chainId,
  )
  if (alert === undefined) return null
  const payload = warnings.map(payloadOf).find((one) => one?.chainId === chainId)
  return { sweepsLeft: payload?.sweepsLeft ?? null, since: alert.raisedAt }
}

function payloadOf(event: RecordedEvent): EventPayloads['gas.low'] | null {
  return event.type === 'gas.low' ? event.payload : null
}

/** The part of a balance that pending transactions may use. */
export function pendingOf({ balance, spendable }: GasWallet): string {
  const pending = BigInt(balance) - BigInt(spendable)
  return pending > 0n ? pending.toString() : '0'
}
