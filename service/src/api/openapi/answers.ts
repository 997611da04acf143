import {
  ERRORS,
  EXPORT_TYPES,
  type ErrorBody,
  type ErrorCode,
  INVALID_SESSION,
  docUrlOf,
  messageOf,
  OPERATIONS,
  type Operation,
  type OperationName,
} from '@sluice/wire'
import { refusalsOf } from './refusals.ts'
import { type JsonSchema, schemaOf } from './schemas.ts'

/** A response of an operation. */
export interface Response {
  description: string
  headers: Readonly<Record<string, unknown>>
  content: Content
}

interface Media {
  schema: JsonSchema
  example?: unknown
  examples?: unknown
}

/** JSON, and the other formats of a list by their media types. */
export type Content = Readonly<Record<'application/json', Media> & Record<string, Media>>

/** The successful responses of an operation. */
export function answersOf(operation: Operation): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(operation.responses).map(([status, schema]) => [
      status,
      {
        description: MEANINGS[status] ?? '',
        headers: headersOf(operation, []),
        content: {
          ...json(schemaOf(schema), operation.example.answers[Number(status)]),
          ...exportsOf(operation),
        },
      },
    ]),
  )
}

/** The formats of a list besides JSON. */
function exportsOf({ export: list }: Operation): Record<string, Media> {
  if (list === undefined) return {}
  const names = list.columns.map(({ name }) => name)
  const csv =
    'The whole list as CSV (RFC 4180, UTF-8), with a header line. `…Decimal` columns are the ' +
    'amount before them in whole tokens or coins, empty if the decimals are unknown. A cell that ' +
    'begins like a formula is preceded by an apostrophe. The columns in order: ' +
    `${names.map((name) => `\`${name}\``).join(', ')}.`
  const ndjson = 'The whole list as JSON Lines: each line is a record of the JSON response.'
  return {
    [EXPORT_TYPES.csv]: { schema: { type: 'string', description: csv }, example: names.join(',') },
    [EXPORT_TYPES.ndjson]: { schema: { type: 'string', description: ndjson } },
  }
}

/** The error responses of an operation, by status. */
export function refusedAs(name: OperationName): Record<string, Response> {
  const operation: Operation = OPERATIONS[name]
  // Readiness has its own response with the status of an outage.
  const refused = refusalsOf(name).filter(({ status }) => !(status in operation.responses))
  return Object.fromEntries(
    [...new Set(refused.map(({ status }) => status))].map((status) => {
      const codes = refused.filter((one) => one.status === status).map(({ code }) => code)
      return [String(status), refusal(operation, status, [...new Set(codes)])]
    }),
  )
}

function refusal(operation: Operation, status: number, codes: readonly ErrorCode[]): Response {
  const narrowed = { properties: { error: { enum: codes }, statusCode: { const: status } } }
  const examples = codes.map((code) => [
    code,
    { $ref: `#/components/examples/${exampleName(code, status)}` },
  ])
  return {
    description: codes.map((code) => `\`${code}\`: ${messageFor(code, status)}`).join(' '),
    headers: headersOf(operation, [429, 503].includes(status) ? ['Retry-After'] : []),
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Error' }, narrowed] },
        examples: Object.fromEntries(examples),
      },
    },
  }
}

/** An example of the body of every code that operations return. */
export function errorExamples(
  paths: unknown,
): Record<string, { summary: string; value: ErrorBody }> {
  const referring = JSON.stringify(paths)
  const [expired] = INVALID_SESSION
  const all: { error: ErrorCode; statusCode: number }[] = [
    ...codesOf(ERRORS).map((error) => ({ error, statusCode: ERRORS[error][0] })),
    { error: 'INVALID_TOKEN', statusCode: expired },
  ]
  return Object.fromEntries(
    all.flatMap(({ error, statusCode }) => {
      const name = exampleName(error, statusCode)
      if (!referring.includes(`/examples/${name}"`)) return []
      const details = { requestId: REQUEST_ID, docUrl: docUrlOf(error) }
      const message = messageFor(error, statusCode)
      const value = { error, message, statusCode, details }
      return [[name, { summary: message, value }]]
    }),
  )
}

const REQUEST_ID = '019ab4f0-7c1e-7d3a-9d0e-3f5a1c2b4d6e'

function exampleName(code: ErrorCode, status: number): string {
  return ERRORS[code][0] === status ? code : `${code}_${status}`
}

function codesOf(table: typeof ERRORS): ErrorCode[] {
  return Object.keys(table).filter((code): code is ErrorCode => code in table)
}

function headersOf({ credential, path }: Operation, more: readonly string[]) {
  const isCounted = credential !== 'none' || path === OPERATIONS.postLogin.path
  const names = ['X-Request-Id', 'X-Api-Version', ...(isCounted ? LIMIT_HEADERS : []), ...more]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

export function json(schema: JsonSchema, example: unknown): Content {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } }
}

/** The status and message of a code; INVALID_TOKEN at 401 refers to the access token. */
function messageFor(code: ErrorCode, status: number): string {
  const isSession = code === 'INVALID_TOKEN' && status === INVALID_SESSION[0]
  return messageOf(isSession ? INVALID_SESSION : ERRORS[code])
}

const MEANINGS: Readonly<Record<string, string>> = {
  200: 'Success.',
  201: 'Success; this request created it.',
  202: 'Accepted; it is done later.',
  503: 'Not ready.',
}

const LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

/** The headers of responses. */
export const HEADERS = {
  'X-Request-Id': header('The id of this request; an id that you send is echoed.', 'string'),
  'X-Api-Version': header('The version. Changes within it are additive.', 'string'),
  'RateLimit-Limit': header('Requests of this kind allowed per minute.', 'integer'),
  'RateLimit-Remaining': header('Requests left in this minute.', 'integer'),
  'RateLimit-Reset': header('Seconds until the next minute begins.', 'integer'),
  'Retry-After': header('Seconds to wait before a retry.', 'integer'),
}

function header(description: string, type: string) {
  return { description, schema: { type } }
}

/** Section 7.1. */
export const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'The body of every error.',
  required: ['error', 'message', 'statusCode'],
  properties: {
    error: {
      type: 'string',
      description: 'The code; more may be added.',
      enum: Object.keys(ERRORS),
    },
    message: { type: 'string', description: 'The cause and the remedy.' },
    statusCode: { type: 'integer', description: 'The HTTP status.' },
    details: {
      type: 'object',
      description: 'Values that help to correct it; the fields depend on the code.',
      properties: {
        requestId: { type: 'string', description: 'Quote it when you report the error.' },
        docUrl: { type: 'string', description: 'The entry of the code in the error catalogue.' },
      },
      additionalProperties: true,
    },
  },
}
