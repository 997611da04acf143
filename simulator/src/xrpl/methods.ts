import { decode } from 'ripple-binary-codec'
import { isValidClassicAddress } from 'ripple-address-codec'
import { XrplInvalid } from '../xrpl-chain.ts'
import { askAuthorized } from './authorized.ts'
import { historyShape, ledgerShape, transactionShape, withDeliverMax } from './shapes.ts'
import { accountIndex, LSF, ticketIndex } from './state.ts'
import {
  accountsAt,
  type Json,
  ledgerFor,
  XrplFault,
  type XrplMethod,
  type XrplRequest,
  type XrplView,
} from './view.ts'

const PAGE_MAX = 400
const CODES: Readonly<Record<string, { code: number; message: string }>> = {
  tefPAST_SEQ: { code: -190, message: 'This sequence number has already passed.' },
  tefMAX_LEDGER: { code: -187, message: 'Ledger sequence too high.' },
  tefNO_TICKET: { code: -180, message: 'Ticket is not in ledger.' },
  terPRE_SEQ: { code: -92, message: 'Missing/inapplicable prior transaction.' },
  terPRE_TICKET: { code: -88, message: 'Ticket is not yet in ledger.' },
  terQUEUED: { code: -89, message: 'Held until escalated fee drops.' },
  terNO_ACCOUNT: { code: -96, message: 'The source account does not exist.' },
  telINSUF_FEE_P: { code: -394, message: 'Fee insufficient.' },
  temREDUNDANT: { code: -275, message: 'The transaction is redundant.' },
  temBAD_AMOUNT: { code: -298, message: 'Malformed: Bad amount.' },
  tecDST_TAG_NEEDED: { code: 143, message: 'A destination tag is required.' },
  tecNO_DST_INSUF_XRP: { code: 125, message: 'Destination does not exist. Too little XRP sent.' },
  tecUNFUNDED_PAYMENT: { code: 104, message: 'Insufficient XRP balance to send.' },
  tecNO_PERMISSION: { code: 139, message: 'No permission to perform requested operation.' },
  tecINSUFFICIENT_RESERVE: {
    code: 141,
    message: 'Insufficient reserve to complete requested operation.',
  },
  tecNO_TARGET: { code: 138, message: 'Target account does not exist.' },
  tecNO_ENTRY: { code: 140, message: 'No matching entry found.' },
  tecDUPLICATE: { code: 149, message: 'Ledger object already exists.' },
  temCANNOT_PREAUTH_SELF: { code: -267, message: 'An account may not preauthorize itself.' },
  tecPATH_DRY: { code: 128, message: 'Path could not send partial amount.' },
}
const SUCCESS = 'The transaction was applied. Only final in a validated ledger.'
const MESSAGES: Readonly<Record<string, { code: number; message: string }>> = {
  actNotFound: { code: 19, message: 'Account not found.' },
  actMalformed: { code: 35, message: 'Account malformed.' },
  srcActNotFound: { code: 67, message: 'Source account not found.' },
  dstActNotFound: { code: 50, message: 'Destination account not found.' },
  lgrNotFound: { code: 21, message: 'ledgerNotFound' },
  lgrIdxMalformed: { code: 58, message: 'Ledger index malformed.' },
  txnNotFound: { code: 29, message: 'Transaction not found.' },
  unknownCmd: { code: 32, message: 'Unknown method.' },
  invalidParams: { code: 31, message: 'Invalid parameters.' },
}

export const XRPL_METHODS: Readonly<Record<string, XrplMethod>> = {
  server_info: (view) => ({ info: infoOf(view, 'info') }),
  server_state: (view) => ({ state: infoOf(view, 'state') }),
  ledger: askLedger,
  // Only account_info returns accounts.
  ledger_entry: () => {
    throw new XrplFault('entryNotFound')
  },
  ledger_closed: ({ chain }) => {
    const { hash, height } = chain.closed()
    return { ledger_hash: hash, ledger_index: height }
  },
  ledger_current: ({ chain }) => ({ ledger_current_index: chain.closed().height + 1 }),
  account_info: askAccount,
  account_objects: askTickets,
  account_tx: askHistory,
  tx: askTransaction,
  submit: submitBlob,
  fee: askFee,
  deposit_authorized: askAuthorized,
  ping: () => ({}),
}

/** The fields of an error that the server's own table has. */
export function faultShape({ error, more }: XrplFault): Json {
  const known = MESSAGES[error]
  if (known === undefined) return { error, ...more }
  return { error, error_code: known.code, error_message: known.message, ...more }
}

/** The ledgers that the node has, as it writes them. */
export function completeOf({ chain, missing }: XrplView): string {
  const first = chain.ledgers[0]?.height ?? 0
  const heights = chain.ledgers
    .slice(0, chain.validated().height - first + 1)
    .map(({ height }) => height)
    .filter((height) => !missing.some(([from, to]) => height >= from && height <= to))
  const runs: [number, number][] = []
  for (const height of heights) {
    const run = runs.at(-1)
    if (run !== undefined && run[1] === height - 1) run[1] = height
    else runs.push([height, height])
  }
  if (runs.length === 0) return 'empty'
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(',')
}

function infoOf(view: XrplView, form: 'info' | 'state'): Json {
  const { chain, kind, serverState, networkId } = view
  const { baseFee, reserveBase, reserveStep } = chain.fees
  const { hash, height, closeTime } = chain.validated()
  const fees =
    form === 'state'
      ? {
          close_time: closeTime,
          base_fee: Number(baseFee),
          reserve_base: Number(reserveBase),
          reserve_inc: Number(reserveStep),
        }
      : {
          age: 0,
          base_fee_xrp: Number(baseFee) / 1e6,
          reserve_base_xrp: Number(reserveBase) / 1e6,
          reserve_inc_xrp: Number(reserveStep) / 1e6,
        }
  const told = networkId === undefined ? chain.networkId : networkId
  return {
    ...(kind === 'clio' ? { clio_version: '2.4.0', rippled_version: '2.4.0' } : {}),
    ...(kind === 'clio' ? {} : { build_version: '2.4.0', server_state: serverState, peers: 10 }),
    complete_ledgers: completeOf(view),
    load_factor: 1,
    ...(told === null ? {} : { network_id: told }),
    uptime: 8,
    validated_ledger: { ...fees, hash, seq: height },
    validation_quorum: 1,
  }
}

function askLedger(view: XrplView, { params, version }: XrplRequest): Json {
  const ledger = ledgerFor(view, params)
  const { chain } = view
  const shape = ledgerShape(ledger, {
    version,
    binary: params['binary'] === true,
    transactions: params['transactions'] === true,
    expand: params['expand'] === true,
  })
  const { hash, height } = ledger
  const validated = height <= chain.validated().height
  return { ledger: shape, ledger_hash: hash, ledger_index: height, validated }
}

function askAccount(view: XrplView, { params, version }: XrplRequest): Json {
  const { kind } = view
  const address = String(params['account'])
  if (!isValidClassicAddress(address)) throw new XrplFault('actMalformed')
  const { accounts, where } = accountsAt(view, params)
  const account = accounts.get(address)
  const named = kind === 'clio' ? {} : { account: address, ...where } // XRPLF/clio, issue 612
  if (!account) throw new XrplFault('actNotFound', named)
  const { balance, flags, ownerCount, sequence, tickets, previous } = account
  const account_data = {
    Account: address,
    Balance: balance.toString(),
    Flags: flags,
    LedgerEntryType: 'AccountRoot',
    OwnerCount: ownerCount,
    PreviousTxnID: previous?.hash ?? '0'.repeat(64),
    PreviousTxnLgrSeq: previous?.ledger ?? 0,
    Sequence: sequence,
    ...(tickets.length === 0 ? {} : { TicketCount: tickets.length }),
    index: accountIndex(address),
  }
  const has = (flag: number) => (flags & flag) !== 0
  const account_flags = {
    allowTrustLineClawback: false,
    defaultRipple: false,
    depositAuth: has(LSF.depositAuth),
    disableMasterKey: false,
    disallowIncomingCheck: false,
    disallowIncomingNFTokenOffer: false,
    disallowIncomingPayChan: false,
    disallowIncomingTrustline: false,
    disallowIncomingXRP: has(LSF.disallowXrp),
    globalFreeze: false,
    noFreeze: false,
    passwordSpent: false,
    requireAuthorization: false,
    requireDestinationTag: has(LSF.requireDestTag),
  }
  return version === 1 && params['signer_lists'] === true
    ? { account_data: { ...account_data, signer_lists: [] }, account_flags, ...where }
    : { account_data, account_flags, ...where }
}

/** Objects of an account: only tickets are simulated. */
function askTickets(view: XrplView, { params }: XrplRequest): Json {
  const address = String(params['account'])
  if (!isValidClassicAddress(address)) throw new XrplFault('actMalformed')
  const { accounts, where } = accountsAt(view, params)
  const account = accounts.get(address)
  if (account === undefined) throw new XrplFault('actNotFound')
  const limit = Math.min(Number(params['limit'] ?? 200), PAGE_MAX)
  const from = Number(params['marker'] ?? 0)
  const wanted = params['type'] ?? 'ticket'
  const tickets = wanted === 'ticket' ? account.tickets : []
  const account_objects = tickets.slice(from, from + limit).map((TicketSequence) => ({
    Account: address,
    Flags: 0,
    LedgerEntryType: 'Ticket',
    OwnerNode: '0',
    PreviousTxnID: account.previous?.hash ?? '0'.repeat(64),
    PreviousTxnLgrSeq: account.previous?.ledger ?? 0,
    TicketSequence,
    index: ticketIndex(address, TicketSequence),
  }))
  const hasMore = from + limit < tickets.length
  return {
    account: address,
    account_objects,
    ...where,
    ...(hasMore ? { limit, marker: String(from + limit) } : {}),
  }
}

function askHistory(view: XrplView, { params, version }: XrplRequest): Json {
  const { chain, missing } = view
  const address = String(params['account'])
  const first = chain.ledgers[0]?.height ?? 0
  const last = chain.validated().height
  const bound = (value: unknown, open: number) => {
    const index = Number(value ?? -1)
    if (index === -1) return open
    if (version >= 2 && (index < first || index > last)) throw new XrplFault('lgrIdxMalformed')
    return Math.min(Math.max(index, first), last)
  }
  const from = bound(params['ledger_index_min'], first)
  const to = bound(params['ledger_index_max'], last)
  const limit = Math.min(Number(params['limit'] ?? 200), PAGE_MAX)
  const all = chain.ledgers
    .filter(({ height }) => height >= from && height <= to)
    .filter(({ height }) => !missing.some(([low, high]) => height >= low && height <= high))
    .flatMap((ledger) => ledger.transactions.map((one, seq) => ({ ledger, one, seq })))
    .filter(({ one }) => touches(one.meta, address))
  if (params['forward'] !== true) all.reverse()
  const marker = Object(params['marker'])
  const start = all.findIndex(
    ({ ledger, seq }) => ledger.height === marker.ledger && seq === marker.seq,
  )
  const at = Math.max(start, 0)
  const next = all[at + limit]
  return {
    account: address,
    ledger_index_max: to,
    ledger_index_min: from,
    limit,
    ...(next === undefined ? {} : { marker: { ledger: next.ledger.height, seq: next.seq } }),
    transactions: all
      .slice(at, at + limit)
      .map(({ one, ledger }) => historyShape(one, ledger, version)),
    validated: true,
  }
}

function touches(meta: string, address: string): boolean {
  return JSON.stringify(decode(meta)).includes(`"${address}"`)
}

function askTransaction(view: XrplView, { params, version }: XrplRequest): Json {
  const { chain, missing } = view
  const hash = String(params['transaction']).toUpperCase()
  for (const ledger of chain.ledgers.slice(0, chain.ledgers.length - chain.unvalidated)) {
    if (missing.some(([from, to]) => ledger.height >= from && ledger.height <= to)) continue
    const one = ledger.transactions.find((applied) => applied.hash === hash)
    if (one !== undefined) return transactionShape(one, ledger, version)
  }
  const { min_ledger: from, max_ledger: to } = params
  if (from === undefined || to === undefined) throw new XrplFault('txnNotFound')
  const heights = { from: Number(from), to: Number(to) }
  const isAllThere =
    heights.from >= (chain.ledgers[0]?.height ?? 0) &&
    heights.to <= chain.validated().height &&
    !missing.some(([low, high]) => low <= heights.to && high >= heights.from)
  throw new XrplFault('txnNotFound', { searched_all: isAllThere })
}

function submitBlob({ chain }: XrplView, { params, version }: XrplRequest): Json {
  const blob = String(params['tx_blob']).toUpperCase()
  try {
    const { hash, result, isApplied } = chain.submit(blob)
    const tx: Json = decode(blob)
    const next = chain.account(String(tx['Account']))?.sequence ?? 0
    const known = CODES[result]
    return {
      accepted: true,
      account_sequence_available: next,
      account_sequence_next: next,
      applied: isApplied,
      broadcast: isApplied,
      engine_result: result,
      engine_result_code: known?.code ?? (isApplied ? 0 : -399),
      engine_result_message: known?.message ?? SUCCESS,
      kept: true,
      open_ledger_cost: chain.openFee.toString(),
      queued: result === 'terQUEUED',
      tx_blob: blob,
      tx_json: { ...(version === 2 ? withDeliverMax(tx, 2) : tx), hash },
      validated_ledger_index: chain.validated().height,
    }
  } catch (error) {
    if (!(error instanceof XrplInvalid)) throw error
    throw new XrplFault('invalidTransaction', { error_exception: error.message })
  }
}

function askFee({ chain }: XrplView): Json {
  const { baseFee } = chain.fees
  return {
    current_ledger_size: String(chain.waiting.length),
    current_queue_size: '0',
    drops: {
      base_fee: baseFee.toString(),
      median_fee: (baseFee * 500n).toString(),
      minimum_fee: baseFee.toString(),
      open_ledger_fee: chain.openFee.toString(),
    },
    expected_ledger_size: '1000',
    ledger_current_index: chain.closed().height + 1,
    levels: {
      median_level: '128000',
      minimum_level: '256',
      open_ledger_level: ((chain.openFee * 256n) / baseFee).toString(),
      reference_level: '256',
    },
    max_queue_size: '20000',
  }
}
