import type { OPERATIONS, operations } from './generated.ts'

/** The name of an operation of the interface: what its document calls `operationId`. */
export type OperationName = keyof typeof OPERATIONS & keyof operations

type Part<Name extends OperationName, Where extends 'path' | 'query'> = NonNullable<
  operations[Name]['parameters'][Where]
>

type Json<Holder> = Holder extends { content: { 'application/json': infer Inner } } ? Inner : never

/** The path parameters of an operation. */
export type Path<Name extends OperationName> = Part<Name, 'path'>
/** The query parameters of an operation. */
export type Query<Name extends OperationName> = Part<Name, 'query'>
/** The request body of an operation. */
export type Body<Name extends OperationName> = operations[Name] extends {
  requestBody: infer Holder
}
  ? Json<Holder>
  : never
/** The successful answer of an operation. */
export type Answer<Name extends OperationName> = Json<
  operations[Name]['responses'][keyof operations[Name]['responses'] & (200 | 201 | 202)]
>

/** The input of any operation. */
export interface Input {
  path?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, QueryValue>>
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

export type QueryValue = string | number | boolean | Date | undefined

/** Options of every call. */
export interface CallOptions {
  /** Ends the call, its retries and waits included; the call throws the signal's reason. */
  signal?: AbortSignal
  /**
   * The longest that one attempt may take, in milliseconds; by default that of the client. A `wait`
   * in the filter is added.
   */
  timeoutMs?: number
  /** How often the call is repeated where that is safe, 0 to 10; by default as the client says. */
  retries?: number
}

/** A time in a filter: ISO 8601, or a Date. */
export type Time = string | Date

/** A filter of a list: its query, with times as dates too and without what turns its pages. */
export type Filter<Name extends OperationName> = Omit<
  Query<Name>,
  'limit' | 'cursor' | 'from' | 'to'
> &
  ('from' extends keyof Query<Name> ? { from?: Time; to?: Time } : unknown)
