import { type Child, startChild } from '../harness/children.ts'
import type { NodeNews } from '../chain/serve-node.ts'

/** A canned node in a separate process. */
export interface NodeProcess {
  url: string
  last: number
  child: Child<NodeNews>
  /** Puts the head at a height. */
  setHead(height: number): void
  stop(): Promise<void>
}

export async function startNode(given: {
  blocks: number
  watched: number
  chainId?: number
  offset?: number
}): Promise<NodeProcess> {
  const args = [given.blocks, given.watched, given.chainId ?? 1, given.offset ?? 0]
  const program = new URL('../chain/serve-node.ts', import.meta.url)
  const child = await startChild<NodeNews>(program, args)
  const ready = await child.hear((news) => ('ready' in news ? news : null), 300_000)
  return {
    url: `http://127.0.0.1:${ready.port}`,
    last: ready.last,
    child,
    setHead: (head) => child.send({ head }),
    stop: () => child.stop(),
  }
}
