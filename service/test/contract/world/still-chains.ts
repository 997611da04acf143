import { startBitcoinNode, startTronNode } from '@sluice/simulator'

const HOUR_MS = 3_600_000
const BLOCKS = 30

/** A TRON chain with a contract and a Bitcoin chain. Both make blocks only on request. */
export async function startStillChains(): Promise<{
  tronUrl: string
  tronContract: string
  bitcoinUrl: string
  /** Makes the first scanned TRON block solid, so that the audit can compare balances. */
  solidify(): void
  stop(): Promise<void>
}> {
  const tron = await startTronNode({ startTime: Date.now() - HOUR_MS })
  const tronContract = tron.chain.deployToken({ name: 'Unlisted', symbol: 'UNL', decimals: 6 })
  tron.chain.mine(BLOCKS)
  const bitcoin = await startBitcoinNode({ seed: 1, network: 'test' })
  return {
    tronUrl: tron.url,
    tronContract,
    bitcoinUrl: bitcoin.url,
    solidify: () => tron.chain.mine(BLOCKS),
    stop: async () => {
      await bitcoin.stop()
      await tron.stop()
    },
  }
}
