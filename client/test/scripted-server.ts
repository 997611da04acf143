import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { clientOf } from '../src/client.ts'
import type { Client } from '../src/client.ts'
import type { Deps } from '../src/transport.ts'

/** The behavior for one request. */
export type Step =
  | { status: number; body?: unknown; text?: string; headers?: Record<string, string> }
  /** Reads the request and ends the connection, so its outcome is unknown. */
  | 'cut'
  /** Begins an answer and ends the connection in the middle of it. */
  | 'half'
  /** Never answers. */
  | 'hang'

export interface Asked {
  method: string
  url: string
  headers: Record<string, string>
  body: string
}

/** A server on this machine that does what a test says, one step for each request. */
export interface ScriptedServer {
  baseUrl: string
  asked: Asked[]
  /** Sets the steps for the next requests; the last step holds for all further ones. */
  will(...steps: (Step | ((asked: Asked) => Step))[]): void
  close(): Promise<void>
}

/** Above the highest port that `fetch` refuses to ask. */
const LOWEST_PORT = 10_081
const HIGHEST_PORT = 32_000
const TRIES_MAX = 20

export async function startScript(): Promise<ScriptedServer> {
  const asked: Asked[] = []
  let script: (Step | ((asked: Asked) => Step))[] = [{ status: 200, body: {} }]
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const one = await read(request)
    asked.push(one)
    const step = script.length > 1 ? script.shift() : script[0]
    act(typeof step === 'function' ? step(one) : (step ?? 'cut'), response)
  }
  const server = createServer((request, response) => void serve(request, response))
  const port = await listen(server)
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    asked,
    will: (...steps) => {
      script = steps
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function read(request: IncomingMessage): Promise<Asked> {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  )
  const { method = '', url = '' } = request
  return { method, url, headers, body: await text(request) }
}

function act(step: Step, response: ServerResponse): void {
  if (step === 'hang') return
  if (step === 'cut') {
    response.destroy()
    return
  }
  if (step === 'half') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"payments":[', () => response.destroy())
    return
  }
  response.writeHead(step.status, { 'content-type': 'application/json', ...step.headers })
  response.end(step.text ?? JSON.stringify(step.body ?? {}))
}

/** Below the ports that the system gives to outgoing connections. */
async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const port = LOWEST_PORT + Math.floor(Math.random() * (HIGHEST_PORT - LOWEST_PORT))
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, '127.0.0.1', () => {
          server.off('error', reject)
          resolve()
        })
      })
      return port
    } catch (error) {
      if (tries === TRIES_MAX) throw error
    }
  }
}

/** A client that does not really wait, and what it would have waited. */
export function patientClient(
  baseUrl: string,
  deps: Partial<Deps> = {},
): { client: Client; waits: number[] } {
  const waits: number[] = []
  const client = clientOf({
    baseUrl,
    credential: { kind: 'apiKey', value: 'slk_test' },
    fetch: (url, init) => fetch(url, init),
    retries: 2,
    timeoutMs: 10_000,
    onRequest: null,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted()
      waits.push(ms)
    },
    random: () => 0.5,
    ...deps,
  })
  return { client, waits }
}

/** A refusal of the service. */
export function refusal(
  status: number,
  error: string,
  details: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Step {
  const body = {
    error,
    message: `This is ${error}.`,
    statusCode: status,
    details: { ...details, requestId: 'request-1', docUrl: `/docs/errors#${error}` },
  }
  return { status, body, headers: { 'x-request-id': 'request-1', ...headers } }
}
