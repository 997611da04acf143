import type { TokenId } from '@sluice/wire'
import type { Clock } from '../../base/clock.ts'
import type { Dice } from '../../base/dice.ts'
import { Outage } from '../../base/fault.ts'
import type { Log } from '../../base/log.ts'
import { openFailover } from '../failover.ts'
import { openHttp } from '../http.ts'
import type { RequestReport } from '../json-rpc.ts'
import type { Address, BlockRef, ChainAdapter, ChainOptions } from '../port.ts'
import { nativeTokenId, toBlock } from './block.ts'
import { lookUp } from './look-up.ts'
import {
  isMissingLedger,
  readAccount,
  readHeader,
  readLedger,
  readStanding,
  readValidated,
} from './node.ts'
import { openXrplRpc } from './rpc.ts'
import type { XrplRpc } from './rpc.ts'
import { openXrplSpending } from './spend.ts'

/** What an adapter needs from outside. */
interface AdapterMeans {
  clock: Clock
  dice: Dice
  log: Log
  onRequest: (report: RequestReport) => void
}

/** Puts the nodes of an XRP Ledger behind the port; rippled and Clio alike. */
export function openXrplAdapter(options: ChainOptions, means: AdapterMeans): ChainAdapter {
  const { chainId } = options
  const http = openHttp({ clock: means.clock, timeoutMs: options.timeoutMs })
  const failover = openFailover({
    ...means,
    chainId,
    nodes: options.nodes.map((node) => openXrplRpc(http.node(node), means.clock, means.onRequest)),
    nameOf: (rpc) => rpc.name,
    standingOf: readStanding,
  })
  return {
    chainId,
    identify: () => failover.identify(),
    tip: () =>
      failover.use(async (rpc) => {
        const { height, hash } = await readValidated(rpc)
        failover.saw(rpc, height)
        // What is validated is final: nothing else is ever looked at.
        return { head: { height, hash }, final: { height, hash } }
      }),
    blockAt: (query, scope) =>
      failover.find(async (rpc) => {
        const ledger = await readLedger(rpc, query)
        if (ledger === null) return null
        await scope.upToDate?.()
        return toBlock(chainId, ledger, scope)
      }),
    lookUp: (txnHash) => failover.find((rpc) => lookUp(rpc, chainId, txnHash)),
    hashAt: (height) => failover.find(async (rpc) => (await readHeader(rpc, height))?.hash ?? null),
    dissenter: (ref) => failover.use((rpc) => findDissenter(failover.others(rpc), ref)),
    balanceOf: (address, tokenId, ref) =>
      failover.use((rpc) => readBalance(rpc, { address, ref, isXrp: isXrp(tokenId) })),
    inspectToken: async () => null,
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
  { address, ref, isXrp }: { address: Address; ref: BlockRef; isXrp: boolean },
): Promise<bigint | null> {
  if (!isXrp) return null
  try {
    const account = await readAccount(rpc, address, { ledger_hash: ref.hash })
    return account?.balance ?? 0n
  } catch (error) {
    if (isMissingLedger(error)) return null
    throw error
  }
}

async function findDissenter(others: readonly XrplRpc[], ref: BlockRef): Promise<string | null> {
  const hashes = others.map(async (other) => {
    const header = await readHeader(other, ref.height).catch(nullIfAway)
    return { name: other.name, hash: header?.hash ?? ref.hash }
  })
  const found = (await Promise.all(hashes)).find(({ hash }) => hash !== ref.hash)
  return found?.name ?? null
}

function nullIfAway(error: unknown): null {
  if (error instanceof Outage) return null
  throw error
}
