import type { Deposit } from '../../src/deposits/deposit.ts'
import { parseChain, parseHolder, parseToken } from '../adapters/brands.ts'

const CHAIN = parseChain('eip155:11155111')

/** A deposit of 70 ether units in block 9, with what a test is about put over it. */
export function depositOf(more: Partial<Deposit> = {}): Deposit {
  return {
    orgId: '01990000-0000-7000-8000-000000000001',
    id: '01990000-0000-7000-8000-000000000002',
    purpose: 'deposit',
    place: 'deposits',
    chainId: CHAIN,
    txnHash: `0x${'ab'.repeat(32)}`,
    position: 'tx',
    accountId: '01990000-0000-7000-8000-000000000003',
    tokenId: parseToken('eip155:11155111/slip44:60'),
    accountChainId: CHAIN,
    externalUserId: 'ann',
    address: parseHolder(CHAIN, `0x${'a1'.repeat(20)}`),
    senderAddress: '',
    amount: 70n,
    netMovement: 70n,
    status: 'Detected',
    booked: 'unconfirmed',
    gasPart: 0n,
    heldCause: '',
    cleared: false,
    maturesAt: null,
    block: { height: 9, hash: '0x09' },
    confirmedAt: null,
    confirmedHeight: null,
    createdAt: 0,
    updatedAt: 0,
    ...more,
  }
}
