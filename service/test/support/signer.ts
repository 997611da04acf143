import { History, LocalSigner, type SigningKeys } from '@sluice/signer'
import type { XpubSource } from '../../src/accounts/wallet.ts'
import { MemoryStore } from './memory-store.ts'

/** Above every fee cap of a test. */
const FEE_MAX = 10n ** 24n

/**
 * A signer in this process with a history of its own. `blockTime`: its clock, in milliseconds;
 * tests on TRON pass the time of the last block of the node, which is far from the machine's.
 */
export function signerWith(
  keys: SigningKeys,
  { blockTime = () => Date.now(), maxFee = FEE_MAX } = {},
): LocalSigner {
  const history = new History()
  const store = new MemoryStore(history)
  const authority = { keys: [], quorum: 1, withoutPolicy: 'open' } as const
  return new LocalSigner({
    keys,
    history,
    store,
    now: blockTime,
    maxFee: () => maxFee,
    authority,
  })
}

/** The keys alone, for tests that open addresses of several databases with one seed. */
export function publicKeysOf(keys: SigningKeys): XpubSource {
  return {
    accountXpub: async (_orgId, at) => keys.accountXpub(at),
    publicKey: async (_orgId, at) => keys.publicKey(at),
  }
}
