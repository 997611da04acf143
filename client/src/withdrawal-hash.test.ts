import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type HashedWithdrawal, withdrawalHash } from './withdrawal-hash.ts'

const CONCEPTS = readFileSync(new URL('../../docs/concepts.md', import.meta.url), 'utf8')

const WITHDRAWAL: HashedWithdrawal = {
  orgId: '019ab4ee-1111-7000-8000-000000000001',
  id: '019ab4f0-7c1e-7d3a-9d0e-3f5a1c2b4d6e',
  chainId: 'eip155:11155111',
  tokenId: 'eip155:11155111/slip44:60',
  amount: '10000000000000000',
  recipient: '0x52908400098527886E0F7030069857D2E4169EE7',
  memo: null,
  reference: 'payout-2026-0042',
  createdAt: '2026-01-31T09:30:00.000Z',
}
const TAGGED: HashedWithdrawal = {
  ...WITHDRAWAL,
  chainId: 'xrpl:testnet',
  tokenId: 'xrpl:testnet/slip44:144',
  amount: '12000000',
  recipient: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe',
  memo: '4711',
  reference: 'Auszahlung Žofín 7',
}
/** Computed by another implementation (OpenSSL). */
const VECTORS: readonly (readonly [string, HashedWithdrawal, string])[] = [
  [
    'without a memo',
    WITHDRAWAL,
    '19816e15f207cf9cc6f46206d84326a423bf5d73fbf5a040ed4876ee33299c7f',
  ],
  [
    'with a tag and letters of several bytes',
    TAGGED,
    '8ad36a84946503d271cf92cf6cfa2789561bafbf1a77a64cbca09131d0ce1006',
  ],
]

describe('the hash of a withdrawal', () => {
  test.each(VECTORS)('%s is the one of the documentation', async (_what, withdrawal, hash) => {
    expect(await withdrawalHash(withdrawal)).toBe(hash)
    expect(CONCEPTS).toContain(hash)
  })

  test.each(Object.keys(WITHDRAWAL))('covers %s', async (field) => {
    const changed = { ...WITHDRAWAL, [field]: `${field}-2` }
    expect(await withdrawalHash(changed)).not.toBe(await withdrawalHash(WITHDRAWAL))
  })

  test('differs if a letter moves from one field to the next', async () => {
    const moved = { ...TAGGED, memo: '471', reference: `1${TAGGED.reference}` }
    expect(await withdrawalHash(moved)).not.toBe(await withdrawalHash(TAGGED))
  })

  test('does not depend on status and approvals', async () => {
    const approved = { ...WITHDRAWAL, status: 'Pending', approvers: ['a', 'b'] }
    expect(await withdrawalHash(approved)).toBe(await withdrawalHash(WITHDRAWAL))
  })
})
