import { derivationOf, roleOn, signerPath } from '../../accounts/signer-path.ts'
import { assert } from '../../base/assert.ts'
import type { Address, CoinsReservation, Decoded, Intent, Signed } from '../../chains/port.ts'
import { maxFeeOf, type Terms } from '../../chains/spending.ts'
import type { KeyPath } from '@sluice/signer'
import type { Tx } from '../../store/database.ts'
import type { Payment, SpendDeps } from '../core/payment-request.ts'
import { placeKindOf, type Sender } from '../core/sender.ts'
import { SpendMismatch } from '../core/mismatch.ts'
import { proveSender } from '../core/sign.ts'
import { signerPayment } from '../core/signing-request.ts'
import type { Purpose } from '../core/spend.ts'
import { selectSpendIds } from '../core/transaction-rows.ts'
import { type OwnCoin, pointKey } from './coin.ts'

/** A Bitcoin transaction to be signed. */
export interface CoinSigning {
  /** Owner of the coins; change returns to its address. */
  sender: Sender
  /** With all its payees. */
  intent: Intent
  terms: Terms
  coins: readonly OwnCoin[]
  change: CoinsReservation['change']
  twins?: number
  id: string
  purpose: Purpose
  payments: readonly Pick<Payment, 'subjectId'>[]
}

/**
 * Signs a Bitcoin transaction, each input with the key of its address, and decodes the signed
 * bytes: they must pay exactly the payees in order, return the rest to the sender, spend exactly
 * these coins, and have a fee within the terms. Queries no node. Throws SpendMismatch if anything
 * differs, a Bug if keys or coins are not the organization's own (engineering, 7), Refused if the
 * signer refuses, and an Outage if it is away.
 */
async function signCoins(tx: Tx, deps: SpendDeps, signing: CoinSigning): Promise<Signed> {
  const { adapter, caps, entry, keys } = deps
  const { sender, intent, terms, coins, change, twins = 0 } = signing
  assert(maxFeeOf(terms) <= caps.absolute, 'fee of the terms exceeds the cap', { terms, caps })
  const from = derivationOf(entry, await proveSender(tx, deps, sender))
  const paths = await provePaths(tx, deps, signing)
  const unsigned = adapter.craft(intent, terms, { kind: 'coins', coins, change, twins })
  const { body, signers = [] } = unsigned
  const inputs = coins.map(({ address, amount }, at) => {
    const path = paths.get(address)
    assert(path !== undefined && signers[at] === address, 'input has no key', { at })
    return { path, amount }
  })
  const subjectIds = signing.payments.map(({ subjectId }) => subjectId)
  const spend = { ...signing, subjectIds }
  const payment = await signerPayment(tx, deps, { sender, spend, to: intent.to })
  const request = { orgId: sender.orgId, chainId: entry.id, payment, from, inputs }
  const signatures = await keys.signer.sign({ ...request, body: unsigned.unsigned ?? body })
  const signed = adapter.combine(unsigned, signatures)
  compareCoins(adapter.decode(signed.raw, coins), { ...signing, chainId: entry.id, signed })
  return signed
}

/** Key paths of the coins; each must match its coin and organization. */
async function provePaths(
  tx: Tx,
  { entry, keys }: SpendDeps,
  { sender, coins }: CoinSigning,
): Promise<Map<string, KeyPath>> {
  const paths = new Map<string, KeyPath>()
  for (const { address, orgId, chainId, place } of coins) {
    assert(orgId === sender.orgId && chainId === entry.id, 'coin belongs to another organization', {
      address,
    })
    if (paths.has(address)) continue
    const path = await signerPath(tx, keys, { entry, address })
    const isOurs =
      path?.orgId === orgId && placeKindOf({ purpose: roleOn(path, entry.id) }) === place
    if (!isOurs) throw new SpendMismatch('coin was altered', { address, place, path })
    paths.set(address, derivationOf(entry, path))
  }
  return paths
}

function compareCoins(
  decoded: Decoded,
  signing: CoinSigning & { chainId: Sender['chainId']; signed: Signed },
): void {
  const { chainId, intent, terms, coins, signed } = signing
  const same =
    decoded.chainId === chainId &&
    intent.chainId === chainId &&
    decoded.tokenId === intent.tokenId &&
    decoded.txnHash === signed.txnHash &&
    isSame(decoded.outputs, outputsOf(signing)) &&
    isSame(decoded.spends?.map(pointKey), coins.map(pointKey)) &&
    decoded.maxFee === feeOf(signing) &&
    decoded.maxFee <= maxFeeOf(terms)
  if (!same) throw new SpendMismatch('signed bytes differ from the request', { intent, decoded })
}

/** The payees in their order, then what returns. */
function outputsOf({
  intent,
  change,
  sender,
}: CoinSigning): { address: Address; amount: bigint }[] {
  const paid = (intent.payees ?? [intent]).map(({ to: address, amount }) => ({ address, amount }))
  return change === null ? paid : [...paid, { address: sender.address, amount: change.amount }]
}

/** Fee in base units: inputs less payments and change. */
export function feeOf({
  coins,
  change,
  intent,
}: Pick<CoinSigning, 'coins' | 'change' | 'intent'>): bigint {
  const held = coins.reduce((sum, { amount }) => sum + amount, 0n)
  return held - intent.amount - (change?.amount ?? 0n)
}

function isSame(
  left: readonly (string | { address: string; amount: bigint })[] | undefined,
  right: readonly (string | { address: string; amount: bigint })[],
): boolean {
  const text = (one: string | { address: string; amount: bigint }) =>
    typeof one === 'string' ? one : `${one.address} ${one.amount}`
  return left?.map(text).join('\n') === right.map(text).join('\n')
}

/**
 * Signs bytes that no other spend has signed. After a spend was given up, the same payment from the
 * same coins would produce the same bytes, and a block could not tell them apart. Bytes of this
 * spend may repeat.
 */
export async function signUnique(tx: Tx, deps: SpendDeps, signing: CoinSigning): Promise<Signed> {
  const { id, sender } = signing
  for (let twins = 0; ; twins += 1) {
    const signed = await signCoins(tx, deps, { ...signing, twins })
    const { txnHash } = signed
    const known = await selectSpendIds(tx, { chainId: sender.chainId, hashes: [txnHash] })
    if ((known.get(txnHash)?.id ?? id) === id) return signed
  }
}
