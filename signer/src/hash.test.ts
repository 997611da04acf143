import { expect, test } from 'vitest'
import { withdrawalHash } from './hash.ts'

const FIELDS = {
  orgId: '019ab4ee-1111-7000-8000-000000000001',
  id: '019ab4f0-7c1e-7d3a-9d0e-3f5a1c2b4d6e',
  chainId: 'xrpl:testnet',
  tokenId: 'xrpl:testnet/slip44:144',
  amount: '12000000',
  recipient: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe',
  memo: '4711',
  reference: 'Auszahlung Žofín 7',
  createdAt: '2026-01-31T09:30:00.000Z',
}

/** The vectors of docs/concepts.md, which the client has too. */
test.each([
  [FIELDS, '8ad36a84946503d271cf92cf6cfa2789561bafbf1a77a64cbca09131d0ce1006'],
  [
    {
      ...FIELDS,
      chainId: 'eip155:11155111',
      tokenId: 'eip155:11155111/slip44:60',
      amount: '10000000000000000',
      recipient: '0x52908400098527886E0F7030069857D2E4169EE7',
      memo: null,
      reference: 'payout-2026-0042',
    },
    '19816e15f207cf9cc6f46206d84326a423bf5d73fbf5a040ed4876ee33299c7f',
  ],
])('the hash of a withdrawal is the one of the documentation', (fields, hash) => {
  expect(withdrawalHash(fields)).toBe(hash)
})
