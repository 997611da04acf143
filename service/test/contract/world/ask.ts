import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { expect } from 'vitest'
import { theWorld } from './given.ts'

const CONNECTIONS_MAX = 16
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX })

/** A request, credentials by their kind; `raw` is sent as it is. */
export interface Question {
  method?: string
  /** An API key. */
  key?: string
  /** An access token. */
  token?: string
  headers?: Record<string, string>
  body?: unknown
  raw?: string | Uint8Array
  /** Another process than the one of the whole suite. */
  baseUrl?: string
  /** The address of this machine that the request comes from. */
  from?: string
  /** True for a second attempt, after a stale connection. */
  isAgain?: boolean
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** The body as JSON; null if it is not JSON. */
  json: Json
}

export type Json = Record<string, unknown>

/** Asks the product, path and query as they are given. */
export function ask(path: string, question: Question = {}): Promise<Answer> {
  const { method = 'GET', key, token, body, baseUrl = theWorld().baseUrl } = question
  const bytes = question.raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const { hostname, port } = new URL(baseUrl)
  const headers = {
    ...(bytes === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(bytes)) }),
    ...(key === undefined ? {} : { 'x-api-key': key }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...question.headers,
  }
  return new Promise((resolve, reject) => {
    const localAddress = question.from ?? '127.0.0.1'
    const target = { agent, hostname, port, method, path, headers, localAddress }
    const asking = request(target, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('error', reject)
      answer.on('end', () => {
        const { statusCode: status = 0, headers: said } = answer
        resolve({ status, headers: said, text, json: parseJson(text) })
      })
    })
    asking.on('error', (error) => {
      // A stale kept connection: the request was not read.
      const isStale = asking.reusedSocket && 'code' in error && error.code === 'ECONNRESET'
      if (isStale && question.isAgain !== true) resolve(ask(path, { ...question, isAgain: true }))
      else reject(error)
    })
    asking.end(bytes)
  })
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return {}
  }
}

/** A query of these parameters, with its question mark. */
export function query(parameters: Readonly<Record<string, string>>): string {
  return `?${new URLSearchParams(parameters).toString()}`
}

const POLL_MS = 100
const POLLS_MAX = 600

/** Asks again and again until the answer is not null. */
export async function until<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  for (let polls = 0; polls < POLLS_MAX; polls += 1) {
    const found = await look()
    if (found !== null) return found
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return expect.fail(`not in time: ${what}`)
}
