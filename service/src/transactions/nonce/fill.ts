import type { Intent } from '../../chains/port.ts'
import { maxFeeOf, type Terms } from '../../chains/spending.ts'
import type { Tx } from '../../store/database.ts'
import { commitAndBroadcast, type Stored, Unsent } from '../core/commit-spend.ts'
import { shortageOf } from '../core/funds.ts'
import { lockSender } from '../core/lock-sender.ts'
import type { SpendDeps } from '../core/payment-request.ts'
import type { Sender } from '../core/sender.ts'
import { signIntent } from '../core/sign.ts'
import { selectNonces } from '../core/spend-rows.ts'
import { storeSpend } from '../core/store.ts'

/**
 * Fills gaps in the nonces of a sender that no spend uses. None should exist, but all later
 * payments would wait for one (engineering, 3). A filler sends 0 to its own sender. Returns the
 * number of fillers sent. Throws an Outage if no node answers.
 */
export async function fillHoles(
  deps: SpendDeps,
  { sender, from, to }: { sender: Sender; from: number; to: number },
): Promise<number> {
  const { chainId, address } = sender
  const taken = new Set(
    await deps.database.transaction((tx) => selectNonces(tx, { chainId, sender: address, from })),
  )
  const holes = Array.from({ length: to - from }, (_, at) => from + at).filter(
    (nonce) => !taken.has(nonce),
  )
  let filled = 0
  for (const nonce of holes) if (await fill(deps, sender, nonce)) filled += 1
  return filled
}

async function fill(deps: SpendDeps, sender: Sender, nonce: number): Promise<boolean> {
  const { chainId, address } = sender
  const tokenId = deps.catalogue.nativeToken(chainId).id
  const intent = { chainId, tokenId, from: address, to: address, amount: 0n, memo: null }
  const quote = await deps.adapter.quote(intent, { ...deps.caps, relativePercent: null })
  if (!quote.ok) {
    deps.log.warn({ chainId, address, nonce, ...quote }, 'gap in the nonces cannot be filled')
    return false
  }
  const { terms } = quote
  const { outcome } = await commitAndBroadcast(deps, {
    address,
    purpose: 'filler',
    subjectId: `nonce ${nonce}`,
    step: 'send',
    sign: (tx) => storeFiller(tx, deps, { intent, terms, nonce }),
  })
  if (outcome !== 'sent') return false
  deps.log.warn({ chainId, address, nonce }, 'gap in the nonces is filled')
  return true
}

async function storeFiller(
  tx: Tx,
  deps: SpendDeps,
  { intent, terms, nonce }: { intent: Intent; terms: Terms; nonce: number },
): Promise<Stored> {
  const lockedSender = await lockSender(tx, deps, intent.from)
  if ('outcome' in lockedSender) throw new Unsent(lockedSender)
  const { sender, height } = lockedSender
  const { chainId, address } = sender
  const taken = await selectNonces(tx, { chainId, sender: address, from: nonce })
  if (taken.includes(nonce) || nonce >= sender.nextNonce) throw new Unsent({ outcome: 'declined' })
  const { tokenId } = intent
  const cost = { sender, native: tokenId, tokenId, amount: 0n, fee: maxFeeOf(terms) }
  const shortage = await shortageOf(tx, cost)
  if (shortage !== null) throw new Unsent(shortage)
  const reservation = { kind: 'nonce', nonce } as const
  const id = tx.ids.next()
  const spend = { id, purpose: 'filler', subjectIds: [] } as const
  const signed = await signIntent(tx, deps, { sender, spend, intent, terms, reservation })
  const signing = { sender, id, subjectId: id, intent, terms, nonce, height }
  const filler = await storeSpend(tx, { ...signing, purpose: 'filler' }, signed)
  return { spend: filler, raw: signed.raw, height }
}
