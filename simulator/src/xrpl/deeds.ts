import { type Effect, grown } from './engine.ts'
import { halfHash } from './hashing.ts'

/** A payment of XRP from the wallet that has it all. */
export interface XrplPayment {
  to: string
  /** Drops. */
  amount: bigint
  /** The destination tag; left out for none, which is not the tag 0. */
  tag?: number
}

/** A transaction of the genesis wallet: its fields, and its effect if unusual. */
export interface Deed {
  fields: Record<string, unknown>
  effect?: Effect
}

/** tfPartialPayment */
export const PARTIAL = 0x0002_0000
const USD = { currency: 'USD', issuer: 'rMwjYedjc7qqtKYVLiAccJSmCwih4LnE2q', value: '1000' }

const tagOf = (tag: number | undefined) => (tag === undefined ? {} : { DestinationTag: tag })

/** A plain payment. */
export function paymentOf({ to, amount, tag }: XrplPayment): Deed {
  const fields = { TransactionType: 'Payment', Destination: to, Amount: amount.toString() }
  return { fields: { ...fields, ...tagOf(tag) } }
}

/** One that says one amount and delivers another (tfPartialPayment). */
export interface XrplPartialPayment extends XrplPayment {
  delivered: bigint
  /** False: its ledger omits the delivered amount, as all did before 2014. */
  isTold?: boolean
}

/** A payment that says one amount and delivers another. */
export function partialOf({ delivered, isTold = true, ...payment }: XrplPartialPayment): Deed {
  const { fields } = paymentOf(payment)
  return {
    fields: { ...fields, Flags: PARTIAL, SendMax: USD },
    effect: ({ accounts }) => {
      accounts.set(payment.to, grown(accounts.get(payment.to), delivered, 0))
      const told = isTold ? { deliveredAmount: delivered.toString() } : {}
      return { result: 'tesSUCCESS', nodes: [], ...told }
    },
  }
}

/** A payment of an issued currency, which is never XRP, even if named so. */
export function issuedOf({
  to,
  tag,
  currency,
}: Omit<XrplPayment, 'amount'> & { currency: string }) {
  const Amount = { ...USD, currency }
  const fields = { TransactionType: 'Payment', Destination: to, Amount, ...tagOf(tag) }
  return { fields, effect: () => ({ result: 'tesSUCCESS', nodes: [] }) } satisfies Deed
}

/** The same of a multi-purpose token. */
export function mptOf({ to, tag }: Omit<XrplPayment, 'amount'>): Deed {
  const Amount = { mpt_issuance_id: '00000001'.padEnd(48, 'A'), value: '1000000' }
  const fields = { TransactionType: 'Payment', Destination: to, Amount, ...tagOf(tag) }
  return { fields, effect: () => ({ result: 'tesSUCCESS', nodes: [] }) }
}

/** An escrow that is paid out; the tag is the escrow's own. */
export function escrowOf(owner: string, { to, amount, tag }: XrplPayment): Deed {
  const FinalFields = {
    Account: owner,
    Amount: amount.toString(),
    Destination: to,
    Flags: 0,
    OwnerNode: '0',
    ...tagOf(tag),
  }
  const LedgerIndex = halfHash(null, Buffer.from(`escrow ${to} ${amount}`).toString('hex'))
  return {
    fields: { TransactionType: 'EscrowFinish', Owner: owner, OfferSequence: 1 },
    effect: ({ accounts }) => {
      accounts.set(to, grown(accounts.get(to), amount, 0))
      const DeletedNode = { LedgerEntryType: 'Escrow', LedgerIndex, FinalFields }
      return { result: 'tesSUCCESS', nodes: [{ DeletedNode }] }
    },
  }
}

/** A claim that a payment channel pays; the tag is the channel's own. */
export function claimOf(owner: string, { to, amount, tag }: XrplPayment): Deed {
  const Channel = halfHash(null, Buffer.from(`channel ${to} ${amount}`).toString('hex'))
  const FinalFields = {
    Account: owner,
    Amount: (amount * 2n).toString(),
    Balance: amount.toString(),
    Destination: to,
    Flags: 0,
    OwnerNode: '0',
    SettleDelay: 60,
    ...tagOf(tag),
  }
  const Balance = amount.toString()
  return {
    fields: { TransactionType: 'PaymentChannelClaim', Channel, Balance, Amount: Balance },
    effect: ({ accounts }) => {
      accounts.set(to, grown(accounts.get(to), amount, 0))
      const node = { LedgerEntryType: 'PayChannel', LedgerIndex: Channel, FinalFields }
      const ModifiedNode = { ...node, PreviousFields: { Balance: '0' } }
      return { result: 'tesSUCCESS', nodes: [{ ModifiedNode }] }
    },
  }
}

/** A payment that gets into a ledger and fails there: it costs its fee. */
export function failureOf(payment: XrplPayment, result: string): Deed {
  return { ...paymentOf(payment), effect: () => ({ result, nodes: [] }) }
}
