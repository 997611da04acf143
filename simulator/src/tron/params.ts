/** Prices of the chain, as its members vote them; in sun. */
export interface TronParams {
  /** For a byte of bandwidth. */
  transactionFee: bigint
  /** Fee for activating an address, instead of bandwidth. */
  newAccountFee: bigint
  newAccountBandwidthFee: bigint
  energyFee: bigint
  memoFee: bigint
  maxFeeLimit: bigint
  /** Bytes a day. */
  freeNetLimit: number
  /** Of the whole chain, shared among all that is staked for energy. */
  totalEnergyLimit: bigint
  totalEnergyWeight: bigint
}

/** As on the main network since August 2025. */
export const DEFAULT_PARAMS: TronParams = {
  transactionFee: 1_000n,
  newAccountFee: 1_000_000n,
  newAccountBandwidthFee: 100_000n,
  energyFee: 100n,
  memoFee: 1_000_000n,
  maxFeeLimit: 15_000_000_000n,
  freeNetLimit: 600,
  totalEnergyLimit: 180_000_000_000n,
  totalEnergyWeight: 19_000_000_000n,
}

/** As `/wallet/getchainparameters` answers it: values of zero are left out. */
export function paramsJson(params: TronParams): Record<string, unknown> {
  const values: Record<string, bigint> = {
    getCreateAccountFee: params.newAccountBandwidthFee,
    getTransactionFee: params.transactionFee,
    getCreateNewAccountFeeInSystemContract: params.newAccountFee,
    getEnergyFee: params.energyFee,
    getMaxFeeLimit: params.maxFeeLimit,
    getFreeNetLimit: BigInt(params.freeNetLimit),
    getMemoFee: params.memoFee,
    getUnfreezeDelayDays: 14n,
    getAllowDynamicEnergy: 0n,
  }
  return {
    chainParameter: Object.entries(values).map(([key, value]) => {
      return value === 0n ? { key } : { key, value }
    }),
  }
}
