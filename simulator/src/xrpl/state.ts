import { decodeAccountID } from 'ripple-address-codec'
import { halfHash } from './hashing.ts'

/** An account as a ledger holds it. Amounts in drops. */
export interface XrplAccount {
  balance: bigint
  sequence: number
  flags: number
  ownerCount: number
  /** Numbers that may be used once each in the place of a Sequence. */
  tickets: readonly number[]
  /** Accounts that may pay it despite DepositAuth (DepositPreauth); absent: no account. */
  allowed?: readonly string[]
  /** Of the last transaction that touched it, and the ledger of that. */
  previous: { hash: string; ledger: number } | null
}

/** All accounts, by address. A ledger's is never changed: the next one has its own. */
export type XrplAccounts = ReadonlyMap<string, XrplAccount>

/** Fees and reserves of the network, in drops; changed by amendments and votes. */
export interface XrplFees {
  baseFee: bigint
  reserveBase: bigint
  reserveStep: bigint
}

export const LSF = {
  requireDestTag: 0x0002_0000,
  disallowXrp: 0x0008_0000,
  depositAuth: 0x0100_0000,
} as const

/** The AccountSet flags that are known here, and the ledger's flags that they set. */
export const ASF: Readonly<Record<number, number>> = {
  1: LSF.requireDestTag,
  3: LSF.disallowXrp,
  9: LSF.depositAuth,
}

/** The name of a ticket's entry in the ledger. */
export function ticketIndex(address: string, ticket: number): string {
  const number = ticket.toString(16).padStart(8, '0')
  return halfHash(null, `0054${Buffer.from(decodeAccountID(address)).toString('hex')}${number}`)
}

/** The name of the entry by which an account allows another to pay it. */
export function allowanceIndex(address: string, allowed: string): string {
  const [owner, other] = [address, allowed].map((one) => {
    return Buffer.from(decodeAccountID(one)).toString('hex')
  })
  return halfHash(null, `0070${owner}${other}`)
}

/** The name of an account's entry in the ledger. */
export function accountIndex(address: string): string {
  return halfHash(null, `0061${Buffer.from(decodeAccountID(address)).toString('hex')}`)
}
