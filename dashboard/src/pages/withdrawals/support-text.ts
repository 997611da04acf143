import type { SingleWithdrawal } from '@sluice/client'

/** The fields that support asks for, one on each line, without any secret. */
export function supportText(withdrawal: SingleWithdrawal): string {
  const { id, reference, status, waitingFor, chainId, tokenId, amount, recipient } = withdrawal
  const { memo, txnHash, txnError, failureCode, createdAt, updatedAt } = withdrawal
  const lines: readonly (readonly [string, string | null])[] = [
    ['withdrawal', id],
    ['reference', reference],
    ['status', status],
    ['waitingFor', waitingFor],
    ['chainId', chainId],
    ['tokenId', tokenId],
    ['amount', `${amount} base units`],
    ['recipient', recipient],
    ['memo', memo],
    ['txnHash', txnHash],
    ['failureCode', failureCode],
    ['txnError', txnError],
    ['createdAt', createdAt],
    ['updatedAt', updatedAt],
  ]
  return lines.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`])).join('\n')
}
