import { expect, test } from 'vitest'
import { parseAddress } from '../chains/format-address.ts'
import { toChainId, toTokenId } from '../../test/support/door.ts'
import { canonicalHash } from './signing-fields.ts'
import type { Requested } from './withdrawal.ts'

function requested(changes: {
  chain: string
  asset: string
  amount: bigint
  recipient: string
  memo: string | null
  reference: string
}): Requested {
  const chainId = toChainId(changes.chain)
  const recipient = parseAddress(chainId, changes.recipient)
  if (recipient === null) throw new Error('not an address')
  return {
    orgId: '019ab4ee-1111-7000-8000-000000000001',
    id: '019ab4f0-7c1e-7d3a-9d0e-3f5a1c2b4d6e',
    chainId,
    tokenId: toTokenId(`${changes.chain}/${changes.asset}`),
    amount: changes.amount,
    recipient,
    memo: changes.memo,
    reference: changes.reference,
    internalNote: 'not covered',
    externalUserId: null,
    requiredApprovals: 2,
    requiredHumans: 1,
    initiator: '019ab4ee-2222-7000-8000-000000000002',
    createdAt: Date.parse('2026-01-31T09:30:00.000Z'),
  }
}

/** The vectors of docs/concepts.md, which the client and the signer have too. */
test.each([
  [
    requested({
      chain: 'xrpl:testnet',
      asset: 'slip44:144',
      amount: 12_000_000n,
      recipient: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe',
      memo: '4711',
      reference: 'Auszahlung Žofín 7',
    }),
    '8ad36a84946503d271cf92cf6cfa2789561bafbf1a77a64cbca09131d0ce1006',
  ],
  [
    requested({
      chain: 'eip155:11155111',
      asset: 'slip44:60',
      amount: 10_000_000_000_000_000n,
      recipient: '0x52908400098527886E0F7030069857D2E4169EE7',
      memo: null,
      reference: 'payout-2026-0042',
    }),
    '19816e15f207cf9cc6f46206d84326a423bf5d73fbf5a040ed4876ee33299c7f',
  ],
])('the hash of a withdrawal is the one of the documentation', (withdrawal, hash) => {
  expect(Buffer.from(canonicalHash(withdrawal)).toString('hex')).toBe(hash)
})
