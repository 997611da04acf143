import type { GasLowEvent } from '@sluice/wire'

/** What `gas.low` tells, for tests to which any event is as good as another; `note` tells apart. */
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
