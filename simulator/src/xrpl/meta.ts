import { encode } from 'ripple-binary-codec'
import { accountIndex, allowanceIndex, ticketIndex } from './state.ts'
import type { XrplAccount, XrplAccounts } from './state.ts'

/** An entry of `AffectedNodes`. */
export type AffectedNode = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Effects of a transaction, before they are written as metadata. */
export interface Outcome {
  result: string
  /** Entries other than accounts: escrows, channels, checks. */
  nodes: readonly AffectedNode[]
  /** Only if less than the requested amount. */
  deliveredAmount?: unknown
}

/** The bytes of the metadata of a transaction: what it did to each entry, by the entries' names. */
export function metaBytes(change: {
  before: XrplAccounts
  after: XrplAccounts
  outcome: Outcome
  index: number
}): string {
  const { before, after, outcome, index } = change
  const touched = [...new Set([...before.keys(), ...after.keys()])].flatMap(
    (address): AffectedNode[] => {
      const [old, now] = [before.get(address), after.get(address)]
      const node = accountNode(address, old, now)
      if (node === null) return []
      return [node, ...ticketNodes(address, old, now), ...allowanceNodes(address, old, now)]
    },
  )
  const all = [...touched, ...outcome.nodes]
  const nodes = all.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  return encode({
    TransactionIndex: index,
    TransactionResult: outcome.result,
    AffectedNodes: nodes,
    ...(outcome.deliveredAmount === undefined ? {} : { DeliveredAmount: outcome.deliveredAmount }),
  })
}

function accountNode(
  address: string,
  before: XrplAccount | undefined,
  after: XrplAccount | undefined,
): AffectedNode | null {
  if (before === after) return null
  const entry = { LedgerEntryType: 'AccountRoot', LedgerIndex: accountIndex(address) }
  if (before === undefined && after !== undefined) {
    const { balance, sequence } = after
    const NewFields = { Account: address, Balance: balance.toString(), Sequence: sequence }
    return { CreatedNode: { ...entry, NewFields } }
  }
  if (before === undefined) return null
  const last = after ?? { ...before, balance: 0n, sequence: before.sequence + 1 }
  const node = {
    ...entry,
    FinalFields: fieldsOf(address, last),
    PreviousFields: changesOf(before, last),
  }
  if (after === undefined) return { DeletedNode: node }
  if (before.previous === null) return { ModifiedNode: node }
  const { hash, ledger } = before.previous
  return { ModifiedNode: { ...node, PreviousTxnID: hash, PreviousTxnLgrSeq: ledger } }
}

/** Tickets that were made, or used. */
function ticketNodes(
  address: string,
  before: XrplAccount | undefined,
  after: XrplAccount | undefined,
): AffectedNode[] {
  const [had, has] = [before?.tickets ?? [], after?.tickets ?? []]
  const entryOf = (ticket: number) => {
    return { LedgerEntryType: 'Ticket', LedgerIndex: ticketIndex(address, ticket) }
  }
  const made = has
    .filter((ticket) => !had.includes(ticket))
    .map((TicketSequence) => {
      return {
        CreatedNode: {
          ...entryOf(TicketSequence),
          NewFields: { Account: address, TicketSequence },
        },
      }
    })
  const used = had
    .filter((ticket) => !has.includes(ticket))
    .map((TicketSequence) => {
      const FinalFields = { Account: address, Flags: 0, OwnerNode: '0', TicketSequence }
      return { DeletedNode: { ...entryOf(TicketSequence), FinalFields } }
    })
  return [...made, ...used]
}

/** Entries by which the account began to let others pay it, or ceased to. */
function allowanceNodes(
  address: string,
  before: XrplAccount | undefined,
  after: XrplAccount | undefined,
): AffectedNode[] {
  const [had, has] = [before?.allowed ?? [], after?.allowed ?? []]
  const entryOf = (allowed: string) => {
    return { LedgerEntryType: 'DepositPreauth', LedgerIndex: allowanceIndex(address, allowed) }
  }
  const made = has
    .filter((one) => !had.includes(one))
    .map((Authorize) => {
      return {
        CreatedNode: { ...entryOf(Authorize), NewFields: { Account: address, Authorize } },
      }
    })
  const gone = had
    .filter((one) => !has.includes(one))
    .map((Authorize) => {
      const FinalFields = { Account: address, Authorize, Flags: 0, OwnerNode: '0' }
      return { DeletedNode: { ...entryOf(Authorize), FinalFields } }
    })
  return [...made, ...gone]
}

function fieldsOf(address: string, account: XrplAccount): Record<string, unknown> {
  const { balance, flags, ownerCount, sequence, tickets } = account
  return {
    Account: address,
    Balance: balance.toString(),
    Flags: flags,
    OwnerCount: ownerCount,
    Sequence: sequence,
    ...(tickets.length === 0 ? {} : { TicketCount: tickets.length }),
  }
}

function changesOf(before: XrplAccount, after: XrplAccount): Record<string, unknown> {
  return {
    ...(before.balance === after.balance ? {} : { Balance: before.balance.toString() }),
    ...(before.sequence === after.sequence ? {} : { Sequence: before.sequence }),
    ...(before.flags === after.flags ? {} : { Flags: before.flags }),
    ...(before.ownerCount === after.ownerCount ? {} : { OwnerCount: before.ownerCount }),
    ...(before.tickets.length === after.tickets.length || before.tickets.length === 0
      ? {}
      : { TicketCount: before.tickets.length }),
  }
}

function nameOf(node: AffectedNode): string {
  return String(Object.values(node)[0]?.['LedgerIndex'])
}
