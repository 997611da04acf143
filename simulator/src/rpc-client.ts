import { Agent } from 'node:http'
import { httpSend } from './http-send.ts'

/** An error that a node returned. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

export interface RpcClient {
  /** Calls a method and returns its result, whose shape the caller guarantees. Throws RpcError. */
  call<T>(method: string, params?: readonly unknown[]): Promise<T>
  /** Posts any body and returns status and text, for batches and malformed requests. */
  post(body: string): Promise<{ status: number; text: string }>
  close(): void
}

/** A JSON-RPC 2.0 client over HTTP that keeps its connections; for tests and the sandbox. */
export function rpcClient(url: string): RpcClient {
  const agent = new Agent({ keepAlive: true })
  let id = 0
  const send = async (body: string) => {
    const headers = { 'content-type': 'application/json' }
    const reply = await httpSend(agent, url, { headers, body })
    return { status: reply.status, text: reply.body.toString() }
  }
  return {
    async call(method: string, params: readonly unknown[] = []) {
      id += 1
      const { text } = await send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      return parseAnswer(method, text).result
    },
    post: send,
    close: () => agent.destroy(),
  }
}

/**
 * The answer, whose result has the type that the caller names: hence `never`, assignable to all.
 * Throws RpcError if it has an error, Error if it is not an answer.
 */
function parseAnswer(method: string, text: string): { result: never } {
  const answer: { result: never; error?: Partial<RpcError> } | null = JSON.parse(text)
  if (typeof answer !== 'object' || answer === null)
    throw new Error(`${method}: no object: ${text}`)
  if (answer.error !== undefined) {
    const { code = 0, message = 'no message', data } = answer.error
    throw new RpcError(code, `${method}: ${message}`, data)
  }
  if (!('result' in answer)) throw new Error(`${method}: neither result nor error: ${text}`)
  return answer
}
