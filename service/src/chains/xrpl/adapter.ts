import type { TokenId } from '@sluice/wire'
import type { AdapterDeps } from '../adapter-deps.ts'
import { openFailover } from '../failover.ts'
import { findDissent } from '../history.ts'
import type { TicketAdapter } from '../chain-adapter.ts'
import type { ChainOptions } from '../options.ts'
import type { Address, BlockRef } from '../port.ts'
import { nativeTokenId, toBlock } from './block.ts'
import { listenToLedgers } from './doorbell.ts'
import { lookUp } from './look-up.ts'
import {
  isMissingLedger,
  readAccount,
  readHash,
  readHeader,
  readLedger,
  readStanding,
  readValidated,
} from './node.ts'
import { openXrplRpc } from './rpc.ts'
import type { XrplRpc } from './rpc.ts'
import { openXrplSpending } from './spend.ts'

/** Only validated ledgers are read. */
const HEAD = { ledger_index: 'validated' } as const

/** Puts the nodes of an XRP Ledger behind the port; rippled and Clio alike. */
export function openXrplAdapter(options: ChainOptions, deps: AdapterDeps): TicketAdapter {
  const { chainId } = options
  const http = deps.openHttp({ clock: deps.clock, timeoutMs: options.timeoutMs })
  const failover = openFailover({
    ...deps,
    chainId,
    nodes: options.nodes.map((node) => openXrplRpc(http.node(node), deps.clock, deps.onRequest)),
    nameOf: (rpc) => rpc.name,
    standingOf: readStanding,
  })
  return {
    chainId,
    identify: (pin) => failover.identify(pin),
    tip: () =>
      failover.use(async (rpc) => {
        const { height, hash } = await readValidated(rpc)
        failover.saw(rpc, height)
        // A validated ledger is final; no other is read.
        return { head: { height, hash }, final: { height, hash } }
      }),
    blockAt: (query, scope) =>
      failover.find(async (rpc) => {
        const ledger = await readLedger(rpc, query)
        if (ledger === null) return null
        await scope.upToDate?.()
        return toBlock(chainId, ledger, scope)
      }),
    transaction: (txnHash) => failover.find((rpc) => lookUp(rpc, chainId, txnHash)),
    hashAt: (height) => failover.find((rpc) => hashAt(rpc, height)),
    dissent: (ref, known) =>
      findDissent(failover, { ref, known }, { hashAt: readHash, headOf: readValidated }),
    balancesAt: 'named-block',
    balanceOf: (address, tokenId, ref) =>
      failover.use((rpc) => readBalance(rpc, { address, ref, isXrp: isXrp(tokenId) })),
    inspectToken: async () => null,
    supplyOf: async () => null,
    listen: (onBlock) => listenToLedgers(options.nodes, deps, onBlock),
    ...openXrplSpending(chainId, failover),
    close: () => http.close(),
  }

  function isXrp(tokenId: TokenId): boolean {
    return tokenId === nativeTokenId(chainId)
  }
}

/** Null where the node has no state of that ledger. Nothing but XRP is ever held here. */
async function readBalance(
  rpc: XrplRpc,
  { address, ref, isXrp }: { address: Address; ref: BlockRef | 'head'; isXrp: boolean },
): Promise<bigint | null> {
  if (!isXrp) return null
  try {
    const at = ref === 'head' ? HEAD : { ledger_hash: ref.hash }
    const account = await readAccount(rpc, address, at)
    return account?.balance ?? 0n
  } catch (error) {
    if (isMissingLedger(error)) return null
    throw error
  }
}

async function hashAt(rpc: XrplRpc, height: number): Promise<string | null> {
  return (await readHeader(rpc, height))?.hash ?? null
}
