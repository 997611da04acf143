/** The use that a chain makes of the memo of a withdrawal. */
export type MemoKind = 'tag' | 'memo' | 'note'

/**
 * The kind of a chain's memo: a destination tag on the XRP Ledger, a memo if the payment carries
 * it, otherwise a note that stays in the service.
 */
export function memoKindOf(chainId: string, carriesMemo: boolean | undefined): MemoKind {
  if (chainId.startsWith('xrpl:')) return 'tag'
  return (carriesMemo ?? chainId.startsWith('tron:')) ? 'memo' : 'note'
}
