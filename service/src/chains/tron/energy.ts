import { larger } from '../../base/amount.ts'
import type { Address, EnergyAsk, EnergyOffer, Intent, Quote } from '../port.ts'
import { refuseQuote } from '../refuse-quote.ts'
import type { FeeCaps } from '../spending.ts'
import { toHex41 } from './address.ts'
import { readAccount } from './balance.ts'
import { contractOf } from './chain-ids.ts'
import { STAKE_MIN } from './delegation.ts'
import { readPrices } from './prices.ts'
import { amountOf, demand, listOf, recordOf } from './rpc.ts'
import { bandwidthOf } from './transaction.ts'
import type { Side, TronNode } from './tron-node.ts'
import { NodeRefusal } from './tron-node.ts'
import { TRANSFER_MARGIN, tryTransfer } from './try-transfer.ts'
import { weigh } from './weigh.ts'
import { readWindow } from './window.ts'

/** The resources of an address, and what a stake gives on this chain. */
interface Resources {
  /** Units of energy, and bytes of the larger of its two allowances of bandwidth. */
  energy: bigint
  bytes: bigint
  /** Of the whole chain: units of energy a day, and TRX staked for them. */
  totalEnergy: bigint
  totalWeight: bigint
}

const TRX = 1_000_000n
const NOTHING: Resources = { energy: 0n, bytes: 0n, totalEnergy: 0n, totalWeight: 0n }
/** `type` of `getcandelegatedmaxsize`. */
const ENERGY_TYPE = 1

/** `{}` is the answer for an address that was never activated: all values are zero. */
export async function readResources(node: TronNode, address: Address): Promise<Resources> {
  const params = { address: toHex41(address) }
  const answer = await node.ask({ method: 'getaccountresource', params })
  const found = recordOf(answer, 'resources')
  if (Object.keys(found).length === 0) return NOTHING
  const read = (name: string) => amountOf(found[name], name)
  return {
    energy: above(read('EnergyLimit') - read('EnergyUsed')),
    bytes: larger(
      above(read('freeNetLimit') - read('freeNetUsed')),
      above(read('NetLimit') - read('NetUsed')),
    ),
    totalEnergy: read('TotalEnergyLimit'),
    totalWeight: read('TotalEnergyWeight'),
  }
}

/**
 * The part of a lender's stake that covers the energy of one or more transfers of a token, and the
 * sender's further costs. Null if the lender cannot spare enough for one, if the transfer would
 * fail, and if lending and taking back costs as much as the energy saves.
 */
export async function offerEnergy(
  node: TronNode,
  { intent, payments, lender }: EnergyAsk,
): Promise<EnergyOffer | null> {
  if (contractOf(intent.tokenId) === null) return null
  const spare = await readSpare(node, lender)
  if (spare < STAKE_MIN) return null
  const [prices, tried, resources, sender, its] = await Promise.all([
    readPrices(node),
    tryTransfer(node, intent),
    readResources(node, lender),
    readAccount(node, intent.from),
    readResources(node, intent.from),
  ])
  const { totalEnergy, totalWeight } = resources
  if (!tried.ok || tried.energy === 0n || totalEnergy === 0n || totalWeight === 0n) return null
  const wide = (tried.energy * TRANSFER_MARGIN.by) / TRANSFER_MARGIN.of
  // Only whole TRX give energy.
  const stakeFor = (energy: bigint) => ceiling(energy * totalWeight, totalEnergy) * TRX
  let count = BigInt(payments)
  while (count > 0n && stakeFor(wide * count) > spare) count -= 1n
  if (count === 0n) return null
  const stake = larger(stakeFor(wide * count), STAKE_MIN)
  if (lendingFee(intent, { lender, stake }) * prices.byte >= tried.energy * count * prices.energy) {
    return null
  }
  const bytes = bandwidthOf(intent, wide * prices.energy)
  const net = bytes * prices.byte
  const isReady = sender.isActivated && (its.bytes >= bytes || sender.balance >= net)
  return { stake, energy: wide * count, besides: isReady ? 0n : net }
}

/** Queries one node whether energy can be lent or taken back, and the highest cost of it. */
export async function quoteDelegation(
  node: TronNode,
  intent: Intent,
  caps: FeeCaps,
): Promise<Quote> {
  const { delegation } = intent
  demand(delegation !== undefined, 'no delegation')
  const { act, stake } = delegation
  const [prices, window, sender, recipient] = await Promise.all([
    readPrices(node),
    readWindow(node),
    readAccount(node, intent.from),
    readAccount(node, intent.to),
  ])
  if (act === 'lend' && (!recipient.isActivated || recipient.isContract)) {
    return refuseQuote('RECIPIENT_REFUSES', 'energy is lent to accounts that exist alone', {})
  }
  const available =
    act === 'lend' ? await readSpare(node, intent.from) : await readLent(node, intent)
  if (available < stake) {
    const numbers = { available, required: stake }
    return refuseQuote('INSUFFICIENT_BALANCE', 'less is staked, or lent, than that', numbers)
  }
  const fee = bandwidthOf(intent, 0n) * prices.byte
  const terms = { family: 'tron', fee, feeLimit: 0n, lent: 0n, ...window } as const
  return weigh(intent, caps, { terms, sender })
}

/** The stake that an address can lend now, in sun: energy that it used recently binds a part. */
async function readSpare(node: TronNode, lender: Address): Promise<bigint> {
  const params = { owner_address: toHex41(lender), type: ENERGY_TYPE }
  try {
    const answer = await node.ask({ method: 'getcandelegatedmaxsize', params })
    return amountOf(recordOf(answer, 'max size')['max_size'], 'max_size')
  } catch (error) {
    // A node without this call lends nothing; all other calls work.
    if (error instanceof NodeRefusal) return 0n
    throw error
  }
}

/**
 * The stake lent from one address to the other, in sun: the larger value of both sides of the node.
 */
async function readLent(node: TronNode, { from, to }: Intent): Promise<bigint> {
  const params = { fromAddress: toHex41(from), toAddress: toHex41(to) }
  const on = async (side: Side) => {
    const answer = await node.ask({ side, method: 'getdelegatedresourcev2', params })
    const { delegatedResource } = recordOf(answer, 'delegations')
    const lent = listOf(delegatedResource, 'delegations').map((one) =>
      amountOf(recordOf(one, 'delegation')['frozen_balance_for_energy'], 'delegation'),
    )
    return lent.reduce((sum, one) => sum + one, 0n)
  }
  const [head, solid] = await Promise.all([on('wallet'), on('walletsolidity')])
  return larger(head, solid)
}

/** Bytes of both transactions; none counts as free. */
function lendingFee(intent: Intent, { lender, stake }: { lender: Address; stake: bigint }): bigint {
  const { chainId, tokenId, from: to } = intent
  const both = { chainId, tokenId, from: lender, to, amount: 0n, memo: null } as const
  const bytes = (act: 'lend' | 'take-back') =>
    bandwidthOf({ ...both, delegation: { act, stake } }, 0n)
  return bytes('lend') + bytes('take-back')
}

function ceiling(number: bigint, by: bigint): bigint {
  return (number + by - 1n) / by
}

function above(value: bigint): bigint {
  return value > 0n ? value : 0n
}
