import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { freePort } from '@sluice/simulator'

/** Answers one JSON-RPC method: a result, or `refuse` for an error. */
export type Answer = (...params: never[]) => unknown

/**
 * A node on 127.0.0.1 that answers as a test says, and refuses methods of which it says nothing.
 */
export interface ScriptedNode {
  readonly url: string
  /** May be changed at any time. */
  readonly answers: Record<string, Answer>
  /** Calls received, for each method. */
  readonly counts: Record<string, number>
  stop(): Promise<void>
}

/** Thrown by an answer: the node's error. */
export class NodeError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** For use within an answer: the node refuses. */
export function refuse(code: number, message: string): never {
  throw new NodeError(code, message)
}

/** Starts a node with these answers. */
export async function startScriptedNode(answers: Record<string, Answer>): Promise<ScriptedNode> {
  const counts: Record<string, number> = {}
  const one = (call: { id: unknown; method: string; params: never[] }) => {
    counts[call.method] = (counts[call.method] ?? 0) + 1
    const answer = answers[call.method]
    try {
      if (!answer) refuse(-32601, `the method ${call.method} does not exist/is not available`)
      return { jsonrpc: '2.0', id: call.id, result: answer(...call.params) }
    } catch (error) {
      if (!(error instanceof NodeError)) throw error
      return { jsonrpc: '2.0', id: call.id, error: { code: error.code, message: error.message } }
    }
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const sent = JSON.parse(Buffer.concat(chunks).toString())
      response.end(JSON.stringify(Array.isArray(sent) ? sent.map(one) : one(sent)))
    })
  })
  const port = await listenSomewhere(server)
  return {
    url: `http://127.0.0.1:${port}`,
    answers,
    counts,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Listens on a free port of 127.0.0.1 below those that the system gives away. */
export async function listenSomewhere(server: Server): Promise<number> {
  for (;;) {
    const port = await freePort()
    const isListening = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (isListening) return port
  }
}
