import type { XrplChain, XrplLedger } from '../xrpl-chain.ts'
import type { XrplAccounts } from './state.ts'

export type Json = Record<string, unknown>

/** What one node has of the network, and how it answers. */
export interface XrplView {
  chain: XrplChain
  /** Clio has no state of its own and says other things of itself. */
  kind: 'rippled' | 'clio'
  /** Heights, from and to, that are not in its history. */
  missing: readonly (readonly [number, number])[]
  serverState: string
  /** Told in place of the truth; null for none at all. */
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

/** The accounts of the ledger that is asked about, and how an answer names it. */
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

/** The ledger that is asked about; where none is named, the last one. */
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
