import type { TraceFacts } from '../../src/api/trace/facts.ts'
import type { Watched } from '../../src/accounts/watch.ts'
import { openCatalogue } from '../../src/catalogue/find.ts'
import type { Transfer, TransactionSeen } from '../../src/chains/port.ts'
import { parseChain, parseHolder, parseToken } from '../adapters/brands.ts'

export const CHAIN = parseChain('eip155:1')
export const ETHER = parseToken('eip155:1/slip44:60')
export const ANN = parseHolder(CHAIN, `0x${'a1'.repeat(20)}`)
export const STRANGER = parseHolder(CHAIN, `0x${'55'.repeat(20)}`)
export const HASH = `0x${'ab'.repeat(32)}`
export const TIP = 1_000
/** Block times are 12 s; ours is half a minute old. */
const NOW = 1_767_225_630_000

/** A user's address. */
export const OWNER: Watched = {
  orgId: '01990000-0000-7000-8000-000000000001',
  chainId: CHAIN,
  purpose: 'deposit',
  accountId: '01990000-0000-7000-8000-000000000003',
  externalUserId: 'ann',
  proof: 'authentic',
}

/** A transfer of one ether to Ann. */
export function transferOf(more: Partial<Transfer> = {}): Transfer {
  return {
    txnHash: HASH,
    position: 'tx',
    tokenId: ETHER,
    from: STRANGER,
    to: ANN,
    amount: 1_000_000_000_000_000_000n,
    tag: null,
    ...more,
  }
}

/** A transaction ten blocks below our tip that succeeded. */
export function seenOf(more: Partial<TransactionSeen> = {}): TransactionSeen {
  const block = { height: TIP - 10, hash: '0x0a' }
  return { block, succeeded: true, transfers: [], apart: [], ...more }
}

/** Facts of a running chain where Ann has a deposit address, with the changes of a test. */
export function factsOf(more: Partial<TraceFacts> = {}): TraceFacts {
  const catalogue = openCatalogue({ chains: [{ id: CHAIN }], tokens: [] })
  const entry = catalogue.chain(CHAIN)
  if (entry === null) throw new Error('no chain')
  return {
    catalogue,
    entry,
    txnHash: HASH,
    now: NOW,
    state: {
      chainId: CHAIN,
      genesis: '0x00',
      startHeight: 100,
      tip: { height: TIP, hash: '0x0f' },
      headHeight: TIP,
      final: null,
      lastReorg: null,
      condition: 'running',
      cause: '',
      isUndoing: false,
      tipTime: NOW - 30_000,
      updatedAt: NOW,
    },
    isDisputed: false,
    seen: seenOf(),
    deposits: [],
    fundings: [],
    own: null,
    watched: new Map([[ANN, OWNER]]),
    tagged: new Map(),
    waiting: new Map(),
    isTokenOn: () => true,
    ...more,
  }
}
