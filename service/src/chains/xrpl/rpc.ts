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
   * The `result` of a call. An XrplRefusal where the node answers with an error, any other Outage
   * where it does not answer properly.
   */
  call(method: string, params: Json, bytesMax?: number): Promise<Json>
}

/** The node answered, and its answer is an error: it lacks the ledger, the account, or the will. */
export class XrplRefusal extends Outage {
  /** The error's own name, such as `lgrNotFound`. */
  readonly error: string
  /** Whatever else the answer says. */
  readonly result: Json

  constructor(node: string, method: string, result: Json) {
    const error = printable(result['error'])
    super(node, `${method}: ${error}`)
    this.error = error
    this.result = result
  }
}

/** The newest version of the API that is spoken; old servers know the first alone. */
const VERSIONS = [2, 1] as const
const UNKNOWN_VERSION = 'invalid_API_version'
const SAID_MAX = 200

/** Speaks to a node and tells `onRequest` of every exchange. */
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
  /** Of the API, as far as is known of this node. */
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

/** rippled says so in plain text, with a status of failure; Clio as an error. */
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

/** What a stranger says ends in logs and alerts. */
function printable(text: unknown): string {
  return String(text)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, SAID_MAX)
}
