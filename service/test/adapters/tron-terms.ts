import type { TronTerms } from '../../src/chains/spending.ts'

const HASH = '0000000000000000de1aa88295e1fcf982742f773e0419c5a9c134c994a9059e'

/** Terms of a transaction that names a block of this height, made at this time of the head. */
export function termsAt(terms: { height: number; headTime: number; feeLimit: bigint }): TronTerms {
  const { height, headTime, feeLimit } = terms
  return {
    family: 'tron',
    fee: feeLimit + 1_000_000n,
    feeLimit,
    lent: 0n,
    reference: BigInt(`0x${idAt(height)}`),
    since: BigInt(headTime - 57_000),
    headTime: BigInt(headTime),
    expiration: BigInt(headTime + 600_000),
  }
}

function idAt(height: number): string {
  return `${height.toString(16).padStart(16, '0')}${HASH.slice(16)}`
}
