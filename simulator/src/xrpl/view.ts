import type { XrplChain, XrplLedger } from '../xrpl-chain.ts'
import type { XrplAccounts } from './state.ts'

export type Json = Record<string, unknown>

/** A node's view of the network, and its answers. */
export interface XrplView {
  chain: XrplChain
  /** Clio has no server state and describes itself differently. */
  kind: 'rippled' | 'clio'
  /** Heights, from and to, that are not in its history. */
  missing: readonly (readonly [number, number])[]
  serverState: string
  /** Overrides the true id; null omits it. */
  networkId: number | null | undefined
}

export interface XrplRequest {
  version: number
  params: Json
}

/** An error as the server names it. */
export class XrplFault extends Error {
  readonly error: string
  readonly more: Json

  constructor(error: string, more: Json = {}) {
    super(error)
    this.error = error
    this.more = more
  }
}

export type XrplMethod = (view: XrplView, request: XrplRequest) => Json

/** The accounts of the requested ledger, and the fields that name it in an answer. */
export function accountsAt(view: XrplView, params: Json): { accounts: XrplAccounts; where: Json } {
  const { chain } = view
  const { ledger_hash: hash, ledger_index: index = 'current' } = params
  const isCurrent = hash === undefined && index === 'current'
  const ledger = ledgerFor(view, params)
  const accounts = isCurrent ? chain.current() : ledger.accounts
  if (accounts === null) throw new XrplFault('lgrNotFound')
  const validated = !isCurrent && ledger.height <= chain.validated().height
  const where = isCurrent
    ? { ledger_current_index: ledger.height + 1, validated }
    : { ledger_hash: ledger.hash, ledger_index: ledger.height, validated }
  return { accounts, where }
}

/** The requested ledger; by default the last one. */
export function ledgerFor({ chain, missing }: XrplView, params: Json): XrplLedger {
  const { ledger_hash: hash, ledger_index: index = 'current' } = params
  const found = typeof hash === 'string' ? chain.ledgerOf(hash) : ledgerByIndex(chain, index)
  const isGap = missing.some(([from, to]) => {
    return found !== undefined && found.height >= from && found.height <= to
  })
  if (found === undefined || isGap) throw new XrplFault('lgrNotFound')
  return found
}

function ledgerByIndex(chain: XrplChain, index: unknown): XrplLedger | undefined {
  if (index === 'validated') return chain.validated()
  if (index === 'closed' || index === 'current') return chain.closed()
  const height = Number(index)
  if (!Number.isInteger(height)) throw new XrplFault('lgrIdxMalformed')
  return chain.ledgerAt(height)
}
