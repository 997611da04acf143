import { signXrpl, startXrplNode, xrplWallet } from '@sluice/simulator'

const LEDGER_MS = 1_000
const REQUIRE_DEST = 1

/** Names of the wallets with XRP, each for one test file. */
export const XRP_PAYERS = ['families', 'support'] as const

/** A network of ledgers with one account that takes no payment without a tag. */
export async function startTagChain(): Promise<{
  url: string
  tagged: string
  stop(): Promise<void>
}> {
  const node = await startXrplNode({ now: () => Date.now() / 1_000 })
  const { chain } = node
  const exchange = xrplWallet('exchange')
  chain.pay({ to: exchange.address, amount: 50_000_000n })
  for (const name of XRP_PAYERS) chain.pay({ to: xrplWallet(name).address, amount: 1_000_000_000n })
  chain.close()
  const fields = chain.fieldsFor(exchange.address)
  const flag = { ...fields, TransactionType: 'AccountSet', SetFlag: REQUIRE_DEST }
  chain.submit(signXrpl(flag, exchange))
  chain.close()
  const closing = setInterval(() => chain.close(), LEDGER_MS)
  return {
    url: node.url,
    tagged: exchange.address,
    async stop() {
      clearInterval(closing)
      await node.stop()
    },
  }
}
