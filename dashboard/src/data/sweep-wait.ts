import type { ChainStatus, GasWallet, Sweep } from '@sluice/client'

/** The facts that explain waiting sweeps. */
export interface WaitFacts {
  statuses: readonly ChainStatus[]
  gasWallets: readonly GasWallet[]
}

/** Why a sweep is not signed yet, as far as the state of its chain shows it. */
export type WaitReason =
  | { kind: 'chain'; condition: Exclude<ChainStatus['condition'], 'running'> }
  | { kind: 'noGas'; wallet: GasWallet }
  | { kind: 'turn'; wallet: GasWallet | null }

/** The reason of a waiting sweep. With gas in the wallet it waits for its turn. */
export function waitReason(
  { chainId }: Pick<Sweep, 'chainId'>,
  { statuses, gasWallets }: WaitFacts,
): WaitReason {
  const status = statuses.find((one) => one.chainId === chainId)
  if (status !== undefined && status.condition !== 'running')
    return { kind: 'chain', condition: status.condition }
  const wallet = gasWallets.find((one) => one.chainId === chainId) ?? null
  const isEmpty = wallet !== null && BigInt(wallet.spendable) <= 0n
  return isEmpty ? { kind: 'noGas', wallet } : { kind: 'turn', wallet }
}
