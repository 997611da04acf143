import type { TronParams } from './params.ts'
import type { Account, Contract, State } from './state.ts'
import type { TronTransaction } from './transaction.ts'

/** Context of a stake's move in addition to the state. */
interface Ground {
  params: TronParams
  /** Of the block, in milliseconds. */
  time: number
  contracts: ReadonlyMap<string, Contract>
}

const DAY_MS = 86_400_000
const TRX = 1_000_000n

/**
 * Reason why energy cannot be delegated, undelegated or staked, in the node's words; null if it
 * can. `left`: the owner's balance after fees, in sun.
 */
export function stakeFault(
  state: State,
  ground: Ground,
  { type, value, left }: Pick<TronTransaction, 'type' | 'value'> & { left: bigint },
): string | null {
  const owner = String(value['owner_address'] ?? '')
  const account = state.accounts.get(owner)
  if (account === undefined) return `Account[${owner}] not exists`
  if (value['resource'] !== 'ENERGY') return 'a resource that is not simulated'
  if (type === 'FreezeBalanceV2Contract') {
    const amount = BigInt(value['frozen_balance'] ?? 0n)
    if (amount < TRX) return 'frozenBalance must be greater than or equal to 1 TRX'
    const isMore = amount > left
    return isMore ? 'frozenBalance must be less than or equal to accountBalance' : null
  }
  const receiver = String(value['receiver_address'] ?? '')
  const stake = BigInt(value['balance'] ?? 0n)
  if (type === 'UnDelegateResourceContract') {
    const lent = delegatedOf(state, owner, receiver)
    if (lent === 0n) return 'delegated Resource does not exist'
    if (stake <= 0n) return 'unDelegateBalance must be more than 0 TRX'
    const words = `insufficient delegatedFrozenBalance(ENERGY), request=${stake}`
    return stake > lent ? `${words}, unlock_balance=${lent}` : null
  }
  if (stake < TRX) return 'delegateBalance must be greater than or equal to 1 TRX'
  if (stake > spareStake(account, ground))
    return 'delegateBalance must be less than or equal to available FreezeEnergyV2 balance'
  if (receiver === owner) return 'receiverAddress must not be the same as ownerAddress'
  if (ground.contracts.has(receiver)) return 'Do not allow delegate resources to contract addresses'
  return state.accounts.has(receiver) ? null : `Account[${receiver}] not exists`
}

/** Stakes, lends, or takes back, which was found valid. */
export function moveStake(state: State, ground: Ground, { type, value }: TronTransaction): void {
  const owner = String(value['owner_address'])
  const lender = state.accounts.get(owner)
  if (lender === undefined) throw new Error('the lender has no account')
  if (type === 'FreezeBalanceV2Contract') {
    lender.balance -= BigInt(value['frozen_balance'] ?? 0n)
    lender.stakedForEnergy += BigInt(value['frozen_balance'] ?? 0n)
    return
  }
  const receiver = String(value['receiver_address'])
  const borrower = state.accounts.get(receiver)
  if (borrower === undefined) throw new Error('the borrower has no account')
  const stake = BigInt(value['balance'] ?? 0n)
  const isBack = type === 'UnDelegateResourceContract'
  if (isBack) giveUsageBack({ lender, borrower, stake }, ground)
  const change = isBack ? -stake : stake
  lender.lent += change
  borrower.borrowed += change
  state.delegations.set(`${owner}/${receiver}`, delegatedOf(state, owner, receiver) + change)
}

/** The borrower's used energy returns with the stake, and recovers at the lender. */
function giveUsageBack(
  { lender, borrower, stake }: { lender: Account; borrower: Account; stake: bigint },
  ground: Ground,
): void {
  const { time, params } = ground
  const used = energyUsedAt(borrower, time)
  const all = stakeOf(borrower)
  const most = (stake / TRX) * params.totalEnergyLimit
  const share = all === 0n ? 0n : (used * stake) / all
  const moved = smaller(share, most / params.totalEnergyWeight)
  borrower.energyUsed = used - moved
  borrower.energyUsedAt = time
  lender.energyUsed = energyUsedAt(lender, time) + moved
  lender.energyUsedAt = time
}

/** Stake an address can delegate: its stake, less delegations and what its used energy binds. */
export function spareStake(account: Account, { params, time }: Pick<Ground, 'params' | 'time'>) {
  const used = energyUsedAt(account, time)
  const bound = (used * params.totalEnergyWeight * TRX) / params.totalEnergyLimit
  const spare = account.stakedForEnergy - account.lent - bound
  return spare > 0n ? spare : 0n
}

/** Used energy at a time: all of it recovers within a day. */
export function energyUsedAt({ energyUsed, energyUsedAt: at }: Account, time: number): bigint {
  const share = BigInt(Math.max(0, DAY_MS - (time - at)))
  return (energyUsed * share) / BigInt(DAY_MS)
}

/** Energy a day that an address may use without burning coins. */
export function energyLimit(account: Account, { params }: Pick<Ground, 'params'>): bigint {
  return ((stakeOf(account) / TRX) * params.totalEnergyLimit) / params.totalEnergyWeight
}

/** Energy an address may use now. */
export function energyLeft(account: Account, ground: Pick<Ground, 'params' | 'time'>): bigint {
  const left = energyLimit(account, ground) - energyUsedAt(account, ground.time)
  return left > 0n ? left : 0n
}

/** Stake that one address has delegated to another, in sun. */
export function delegatedOf(state: State, lender: string, borrower: string): bigint {
  return state.delegations.get(`${lender}/${borrower}`) ?? 0n
}

function stakeOf({ stakedForEnergy, lent, borrowed }: Account): bigint {
  return stakedForEnergy - lent + borrowed
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
