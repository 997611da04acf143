import type { Outcome } from './meta.ts'
import { ASF, LSF } from './state.ts'
import type { XrplAccount, XrplAccounts, XrplFees } from './state.ts'

/** A transaction as JSON, as the codec reads it from its bytes. */
export type XrplTransaction = Readonly<Record<string, unknown>>

/** Effect of an unusual transaction in addition to its fee and Sequence. */
export type Effect = (ledger: {
  accounts: Map<string, XrplAccount>
  transaction: XrplTransaction
}) => Outcome

export interface Ground {
  accounts: XrplAccounts
  fees: XrplFees
  /** Index of the next ledger. */
  height: number
  /** The fee that opens the next ledger; a transaction that offers less waits. */
  openFee: bigint
}

const TICKETS_MAX = 250

/** An outcome and the accounts after it; `tef`, `ter`, `tel` and `tem` cost nothing. */
export type Tried =
  | { result: string; isApplied: false }
  | { result: string; isApplied: true; accounts: XrplAccounts; outcome: Outcome }

/**
 * Result of a transaction in this context. If its Sequence is right and it pays its fee it is
 * included, with a `tec` if it then fails: that costs the fee and uses the Sequence.
 */
export function tryOut(ground: Ground, transaction: XrplTransaction, effect?: Effect): Tried {
  const refused = refusalOf(ground, transaction)
  if (refused !== null) return { result: refused, isApplied: false }
  const from = String(transaction['Account'])
  const sender = ground.accounts.get(from)
  if (sender === undefined) return { result: 'terNO_ACCOUNT', isApplied: false }
  const accounts = new Map(ground.accounts)
  accounts.set(from, charged(sender, transaction))
  const outcome = (effect ?? effectOf(ground, sender))({ accounts, transaction })
  if (outcome.result === 'tesSUCCESS') return applied(accounts, outcome)
  const unchanged = new Map(ground.accounts).set(from, charged(sender, transaction))
  return applied(unchanged, { result: outcome.result, nodes: [] })
}

function applied(accounts: XrplAccounts, outcome: Outcome): Tried {
  return { result: outcome.result, isApplied: true, accounts, outcome }
}

function refusalOf(ground: Ground, transaction: XrplTransaction): string | null {
  const { accounts, fees, height, openFee } = ground
  const { Account: from, Destination: to, Amount: amount, Sequence: sequence } = transaction
  const sender = accounts.get(String(from))
  if (transaction['TransactionType'] === 'Payment') {
    if (amount === '0') return 'temBAD_AMOUNT'
    if (from === to && typeof amount === 'string') return 'temREDUNDANT'
  }
  if (transaction['TransactionType'] === 'DepositPreauth' && from === transaction['Authorize']) {
    return 'temCANNOT_PREAUTH_SELF'
  }
  const fee = BigInt(String(transaction['Fee']))
  if (fee < fees.baseFee) return 'telINSUF_FEE_P'
  if (sender === undefined) return 'terNO_ACCOUNT'
  const ticket = transaction['TicketSequence']
  if (ticket === undefined) {
    if (Number(sequence) < sender.sequence) return 'tefPAST_SEQ'
    if (Number(sequence) > sender.sequence) return 'terPRE_SEQ'
  } else if (!sender.tickets.includes(Number(ticket))) {
    return Number(ticket) < sender.sequence ? 'tefNO_TICKET' : 'terPRE_TICKET'
  }
  if (Number(transaction['LastLedgerSequence'] ?? height) < height) return 'tefMAX_LEDGER'
  if (sender.balance < fee) return 'terINSUF_FEE_B'
  return fee < openFee ? 'terQUEUED' : null
}

function charged(sender: XrplAccount, transaction: XrplTransaction): XrplAccount {
  const fee = BigInt(String(transaction['Fee']))
  const ticket = transaction['TicketSequence']
  if (ticket === undefined) {
    return { ...sender, balance: sender.balance - fee, sequence: sender.sequence + 1 }
  }
  const tickets = sender.tickets.filter((one) => one !== Number(ticket))
  const ownerCount = sender.ownerCount - 1
  return { ...sender, balance: sender.balance - fee, tickets, ownerCount }
}

function effectOf(ground: Ground, sender: XrplAccount): Effect {
  return ({ accounts, transaction }) => {
    const failed = (result: string): Outcome => ({ result, nodes: [] })
    switch (transaction['TransactionType']) {
      case 'Payment':
        return pay(ground, sender, { accounts, transaction }) ?? failed('tecPATH_DRY')
      case 'AccountSet':
        return setFlag({ accounts, transaction })
      case 'TicketCreate':
        return createTickets(ground, sender, { accounts, transaction })
      case 'DepositPreauth':
        return allow(ground, sender, { accounts, transaction })
      case 'AccountDelete':
        return deleteAccount(ground, { accounts, transaction })
      default:
        return failed('tecINTERNAL')
    }
  }
}

interface Acting {
  accounts: Map<string, XrplAccount>
  transaction: XrplTransaction
}

/** Null if it is not a payment of XRP: paths are not simulated. */
function pay(
  { fees, height }: Ground,
  before: XrplAccount,
  { accounts, transaction }: Acting,
): Outcome | null {
  const { Account: from, Destination: to, Amount: amount, DestinationTag: tag } = transaction
  if (typeof amount !== 'string') return null
  const drops = BigInt(amount)
  const recipient = accounts.get(String(to))
  const nothing = { nodes: [] }
  if (recipient === undefined) {
    if (drops < fees.reserveBase) return { result: 'tecNO_DST_INSUF_XRP', ...nothing }
  } else {
    const has = (flag: number) => (recipient.flags & flag) !== 0
    if (has(LSF.requireDestTag) && tag === undefined)
      return { result: 'tecDST_TAG_NEEDED', ...nothing }
    // An almost empty account accepts small amounts from everyone, to be able to pay fees again.
    const isPoor = recipient.balance <= fees.reserveBase && drops <= fees.reserveBase
    const isAllowed = isPoor || recipient.allowed?.includes(String(from)) === true
    if (has(LSF.depositAuth) && !isAllowed) return { result: 'tecNO_PERMISSION', ...nothing }
  }
  const sender = accounts.get(String(from))
  const fee = BigInt(String(transaction['Fee']))
  const reserve = fees.reserveBase + fees.reserveStep * BigInt(before.ownerCount)
  if (sender === undefined || before.balance < drops + (reserve > fee ? reserve : fee))
    return { result: 'tecUNFUNDED_PAYMENT', ...nothing }
  accounts.set(String(from), { ...sender, balance: sender.balance - drops })
  accounts.set(String(to), grown(recipient, drops, height))
  return { result: 'tesSUCCESS', ...nothing }
}

/** An account that has got more; a new one begins at the number of its ledger. */
export function grown(
  account: XrplAccount | undefined,
  drops: bigint,
  height: number,
): XrplAccount {
  if (account !== undefined) return { ...account, balance: account.balance + drops }
  const nothing = { flags: 0, ownerCount: 0, tickets: [], previous: null }
  return { balance: drops, sequence: height, ...nothing }
}

function setFlag({ accounts, transaction }: Acting): Outcome {
  const from = String(transaction['Account'])
  const account = accounts.get(from)
  const set = ASF[Number(transaction['SetFlag'] ?? 0)] ?? 0
  const cleared = ASF[Number(transaction['ClearFlag'] ?? 0)] ?? 0
  if (account !== undefined) {
    accounts.set(from, { ...account, flags: (account.flags | set) & ~cleared })
  }
  return { result: 'tesSUCCESS', nodes: [] }
}

/** The numbers after the Sequence become tickets, each of which keeps back a reserve. */
function createTickets(
  { fees }: Ground,
  before: XrplAccount,
  { accounts, transaction }: Acting,
): Outcome {
  const from = String(transaction['Account'])
  const account = accounts.get(from)
  const count = Number(transaction['TicketCount'])
  if (account === undefined) return { result: 'tecINTERNAL', nodes: [] }
  const { sequence, tickets, ownerCount } = account
  const reserve = fees.reserveBase + fees.reserveStep * BigInt(ownerCount + count)
  if (before.balance < reserve) return { result: 'tecINSUFFICIENT_RESERVE', nodes: [] }
  if (tickets.length + count > TICKETS_MAX) return { result: 'tecDIR_FULL', nodes: [] }
  const made = Array.from({ length: count }, (_, at) => sequence + at)
  accounts.set(from, {
    ...account,
    sequence: sequence + count,
    tickets: [...tickets, ...made],
    ownerCount: ownerCount + count,
  })
  return { result: 'tesSUCCESS', nodes: [] }
}

/** Allows a sender to pay the account, or revokes it; each permission keeps a reserve. */
function allow({ fees }: Ground, before: XrplAccount, { accounts, transaction }: Acting): Outcome {
  const failed = (result: string): Outcome => ({ result, nodes: [] })
  const { Account: from, Authorize: added, Unauthorize: removed } = transaction
  const account = accounts.get(String(from))
  if (account === undefined) return failed('tecINTERNAL')
  const { allowed = [], ownerCount } = account
  const other = String(added ?? removed)
  const isThere = allowed.includes(other)
  if (added === undefined) {
    if (!isThere) return failed('tecNO_ENTRY')
    const left = allowed.filter((one) => one !== other)
    accounts.set(String(from), { ...account, allowed: left, ownerCount: ownerCount - 1 })
    return { result: 'tesSUCCESS', nodes: [] }
  }
  if (!accounts.has(other)) return failed('tecNO_TARGET')
  if (isThere) return failed('tecDUPLICATE')
  const reserve = fees.reserveBase + fees.reserveStep * BigInt(ownerCount + 1)
  if (before.balance < reserve) return failed('tecINSUFFICIENT_RESERVE')
  accounts.set(String(from), {
    ...account,
    allowed: [...allowed, other],
    ownerCount: ownerCount + 1,
  })
  return { result: 'tesSUCCESS', nodes: [] }
}

function deleteAccount({ height }: Ground, { accounts, transaction }: Acting): Outcome {
  const [from, to] = [String(transaction['Account']), String(transaction['Destination'])]
  const account = accounts.get(from)
  const heir = accounts.get(to)
  if (account === undefined || heir === undefined) return { result: 'tecNO_DST', nodes: [] }
  const needsTag = (heir.flags & LSF.requireDestTag) !== 0
  if (needsTag && transaction['DestinationTag'] === undefined)
    return { result: 'tecDST_TAG_NEEDED', nodes: [] }
  accounts.delete(from)
  accounts.set(to, grown(heir, account.balance, height))
  return { result: 'tesSUCCESS', nodes: [], deliveredAmount: account.balance.toString() }
}
