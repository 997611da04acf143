import type { NodeCall } from './doors.ts'

/** A call with the id that identifies its answer. */
export type NamedCall = NodeCall & { id: unknown }

/** Calls of JSON-RPC in a request. */
export function parseCalls(body: string): {
  calls: readonly NamedCall[]
  isBatch: boolean
} {
  const parsed: unknown = JSON.parse(body)
  const list: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  return { calls: list.map(parseCall), isBatch: Array.isArray(parsed) }
}

function parseCall(one: unknown): NamedCall {
  const { id = null, method, params = [] } = Object(one)
  return { id, method: String(method), params: Array.isArray(params) ? params : [params] }
}
