import type { Clock } from '../../base/clock.ts'
import { Outage } from '../../base/fault.ts'
import type { HttpNode, HttpReply } from '../http.ts'
import { SMALL_BYTES_MAX } from '../json-rpc.ts'
import type { RequestReport } from '../json-rpc.ts'
import { parseBody } from '../parse-body.ts'
import { isJson } from './read.ts'
import type { Json } from './read.ts'

/** One node of the XRP Ledger, rippled or Clio, by its JSON-RPC over HTTP. */
export interface XrplRpc {
  readonly name: string
  /**
   * The `result` of a call. Throws an XrplRefusal if the node answers with an error, any other
   * Outage if it does not answer properly.
   */
  call(method: string, params: Json, bytesMax?: number): Promise<Json>
}

/** The node answered with an error: it lacks the ledger or the account, or declines. */
export class XrplRefusal extends Outage {
  /** The error's own name, such as `lgrNotFound`. */
  readonly error: string
  /** The other fields of the answer. */
  readonly result: Json

  constructor(node: string, method: string, result: Json) {
    const error = printable(result['error'])
    super(node, `${method}: ${error}`)
    this.error = error
    this.result = result
  }
}

/** The newest supported API version; old servers know only the first. */
const VERSIONS = [2, 1] as const
const UNKNOWN_VERSION = 'invalid_API_version'
const SAID_MAX = 200

/** Opens a node and reports every request to `onRequest`. */
export function openXrplRpc(
  http: HttpNode,
  clock: Clock,
  onRequest: (report: RequestReport) => void,
): XrplRpc {
  const line: Line = { http, version: VERSIONS[0] }
  return {
    name: http.name,
    call: async (method, params, bytesMax = SMALL_BYTES_MAX) => {
      const startedAt = clock.now()
      const tell = (outcome: RequestReport['outcome']) =>
        onRequest({ node: http.name, method, outcome, ms: clock.now() - startedAt })
      try {
        const result = await exchange(line, { method, params, bytesMax })
        tell('ok')
        return result
      } catch (error) {
        tell(error instanceof XrplRefusal ? 'refused' : 'outage')
        throw error
      }
    },
  }
}

interface Line {
  readonly http: HttpNode
  /** The API version of this node, as far as known. */
  version: number
}

interface Call {
  method: string
  params: Json
  bytesMax: number
}

async function exchange(line: Line, call: Call): Promise<Json> {
  const reply = await post(line, call)
  if (!isUnknownVersion(reply) || line.version === VERSIONS[1]) return resultOf(line, call, reply)
  line.version = VERSIONS[1]
  return resultOf(line, call, await post(line, call))
}

function post({ http, version }: Line, { method, params, bytesMax }: Call): Promise<HttpReply> {
  const body = JSON.stringify({ method, params: [{ ...params, api_version: version }] })
  return http.post({ body, bytesMax })
}

/** rippled reports it in plain text with an error status; Clio as an error. */
function isUnknownVersion({ body }: HttpReply): boolean {
  return body.length < SAID_MAX * 4 && body.toString('utf8').includes(UNKNOWN_VERSION)
}

function resultOf({ http }: Line, { method }: Call, { status, body }: HttpReply): Json {
  const answer = parseBody(http.name, body)
  const result = isJson(answer) ? answer['result'] : null
  if (isJson(result) && result['status'] === 'success') return result
  if (isJson(result) && typeof result['error'] === 'string') {
    throw new XrplRefusal(http.name, method, result)
  }
  const wrong = status < 400 ? `${method}: answered no result` : `answered HTTP ${status}`
  throw new Outage(http.name, wrong)
}

/** Remote text ends up in logs and alerts, so it is shortened. */
function printable(text: unknown): string {
  return String(text)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, SAID_MAX)
}
