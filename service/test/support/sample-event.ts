import type { GasLowEvent } from '@sluice/wire'

/** A `gas.low` event, for tests that need any event; `note` makes it unique. */
export function lowGas(note: string): GasLowEvent {
  return {
    chainId: 'eip155:1',
    address: note,
    balance: '0',
    sweepsLeft: 0,
    Token: { id: 'eip155:1/slip44:60', name: 'Ether', symbol: 'ETH', decimals: 18, address: '' },
    at: '2026-01-01T00:00:00.000Z',
  }
}
