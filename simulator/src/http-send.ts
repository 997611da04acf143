import { type Agent, type IncomingHttpHeaders, request } from 'node:http'

export interface HttpMessage {
  method?: string
  headers?: Record<string, string | string[] | undefined>
  body: Uint8Array | string
}

export interface HttpReply {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/**
 * One HTTP exchange over the agent's connections, with the whole body of the answer. A kept
 * connection that the server had closed meanwhile costs a second try; any other failure rejects.
 */
export async function httpSend(
  agent: Agent,
  url: string,
  message: HttpMessage,
): Promise<HttpReply> {
  try {
    return await exchange(agent, url, message)
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error
    return exchange(agent, url, message)
  }
}

class StaleConnection extends Error {
  override readonly name = 'StaleConnection'
}

function exchange(agent: Agent, url: string, message: HttpMessage): Promise<HttpReply> {
  const { method = 'POST', headers = {}, body } = message
  const length = Buffer.byteLength(body)
  return new Promise((resolve, reject) => {
    const options = { method, agent, headers: { ...headers, 'content-length': length } }
    const call = request(url, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode: status = 0, headers: answered } = response
        resolve({ status, headers: answered, body: Buffer.concat(chunks) })
      })
    })
    call.on('error', (cause: NodeJS.ErrnoException) => {
      const isStale = call.reusedSocket && cause.code === 'ECONNRESET'
      reject(isStale ? new StaleConnection(cause.message, { cause }) : cause)
    })
    call.end(body)
  })
}
