import {
  API_VERSION,
  OPERATION_NAMES,
  OPERATIONS,
  type Operation,
  type OperationName,
  TAGS,
} from '@sluice/wire'
import type { TSchema } from 'typebox'
import {
  type Content,
  ERROR_SCHEMA,
  HEADERS,
  type Response,
  answersOf,
  errorExamples,
  json,
  refusedAs,
} from './answers.ts'
import { curlOf } from './samples.ts'
import { type JsonSchema, namedSchemas, schemaOf } from './schemas.ts'
import { describedWebhooks } from './webhooks.ts'

/** An OpenAPI document as plain JSON data. */
export interface OpenApiDocument {
  openapi: string
  info: Readonly<Record<string, unknown>>
  servers: readonly Readonly<Record<string, unknown>>[]
  tags: readonly { name: string; description: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  webhooks: Readonly<Record<string, unknown>>
  components: Readonly<Record<string, unknown>> & {
    schemas: Readonly<Record<string, JsonSchema>>
  }
}

/** One operation of the document. */
export interface DocumentedOperation {
  operationId: OperationName
  tags: readonly string[]
  summary: string
  description: string
  security: readonly Readonly<Record<string, readonly string[]>>[]
  parameters: readonly Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Readonly<Record<string, Response>>
  'x-codeSamples': readonly { lang: string; label: string; source: string }[]
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: JsonSchema
  example?: unknown
}

const DESCRIPTION = [
  "Accepts cryptocurrency deposits of an organization's end users, and sends withdrawals out.",
  'Amounts are strings of base units; timestamps are ISO 8601 in UTC with milliseconds.',
  'Chains are CAIP-2 ids, tokens CAIP-19 ids.',
  'HEAD is supported for health and documentation only; use GET for the rest.',
  'Fields and operations are only added: ignore unknown fields.',
].join(' ')

/**
 * The API as an OpenAPI 3.1 document, generated from the table of operations and the schemas that
 * validate requests. It is the same for every installation.
 */
export function openApiDocument(): OpenApiDocument {
  const paths: Record<string, Record<string, DocumentedOperation>> = {}
  for (const name of OPERATION_NAMES) {
    const { method, path } = OPERATIONS[name]
    const template = path.replaceAll(/:([A-Za-z]+)/g, '{$1}')
    paths[template] = { ...paths[template], [method.toLowerCase()]: describe(name) }
  }
  const webhooks = describedWebhooks()
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version: API_VERSION,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Relative to this document, so correct behind a proxy with a prefix.
    servers: [{ url: '.', description: 'The server of this document.' }],
    tags: Object.entries(TAGS).map(([tag, description]) => ({ name: tag, description })),
    paths,
    webhooks,
    components: {
      schemas: { ...namedSchemas([Object(paths), webhooks]), Error: ERROR_SCHEMA },
      securitySchemes: SECURITY,
      headers: HEADERS,
      examples: errorExamples(paths),
    },
  }
}

function describe(name: OperationName): DocumentedOperation {
  const operation: Operation = OPERATIONS[name]
  const { tag, summary, description, example } = operation
  return {
    operationId: name,
    tags: [tag],
    summary,
    description,
    security: SECURED[operation.credential],
    parameters: [
      ...parametersOf('path', operation.params, example.params),
      ...parametersOf('query', operation.query, example.query),
      ...(operation.code === undefined ? [] : [CODE_HEADER]),
    ],
    ...(operation.body !== undefined && {
      requestBody: {
        required: operation.bodyMayBeMissing !== true,
        content: json(schemaOf(operation.body), example.body),
      },
    }),
    responses: { ...answersOf(operation), ...refusedAs(name) },
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlOf(name) }],
  }
}

const CODE_HEADER: Parameter = {
  name: 'x-totp-code',
  in: 'header',
  required: false,
  description:
    'A fresh one-time code of the user (bearer token), unless the body has it; an API key needs ' +
    'no code.',
  schema: { type: 'string', pattern: '^[0-9]{6}$' },
}

function parametersOf(
  place: Parameter['in'],
  schema: TSchema | undefined,
  examples: Readonly<Record<string, unknown>> = {},
): Parameter[] {
  const { properties = {}, required = [] } = schema === undefined ? {} : inside(schema)
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...limits } = schemaOf(property)
    return {
      name,
      in: place,
      required: required.includes(name),
      description: typeof description === 'string' ? description : '',
      schema: limits,
      ...(name in examples && { example: examples[name] }),
    }
  })
}

function inside(schema: TSchema): {
  properties?: Record<string, TSchema>
  required?: readonly string[]
} {
  return schema
}

const SECURED = {
  apiKey: [{ apiKey: [] }],
  bearer: [{ bearer: [] }],
  either: [{ apiKey: [] }, { bearer: [] }],
  none: [],
} as const

const SECURITY = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'For servers. One key for each organization.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'For people: the access token that `POST /auth/login` returns.',
  },
} as const
