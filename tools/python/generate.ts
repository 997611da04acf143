import type { OpenApiDocument } from '../../service/src/api/openapi/openapi.ts'
import type { JsonSchema } from '../../service/src/api/openapi/schemas.ts'
import { brackets, print } from './layout.ts'
import { methodsOf, type PlacedOperation, tableEntry } from './methods.ts'
import { pascalCase, quoted } from './names.ts'
import { openTypes, type PythonTypes } from './typed-dicts.ts'

const HEAD = `"""The operations and types of the interface.

Written by \`tools/generate-python.mjs\` from the service's OpenAPI document.
"""

from __future__ import annotations`

/** The names that the module may import; unused ones are left out. */
const IMPORTS: readonly [module: string, names: readonly string[]][] = [
  ['datetime', ['datetime']],
  ['decimal', ['Decimal']],
  [
    'typing',
    ['Any', 'ClassVar', 'Iterator', 'Literal', 'Mapping', 'Optional', 'TypedDict', 'Union'],
  ],
  ['._http', ['Download']],
  ['._operations', ['OperationCaller']],
  ['._request', ['UNSET', 'Unset', 'comma_separated', 'or_unset']],
  ['._transport', ['Operation']],
]

/** Names of the module and of the package, which no type of the document gets. */
const RESERVED = [
  ...IMPORTS.flatMap(([, names]) => names),
  'Client',
  'Credential',
  'ErrorCode',
  'GeneratedClient',
  'RequestReport',
  'SluiceAnswerError',
  'SluiceError',
  'SluiceNetworkError',
  'WebhookEvent',
  'WebhookProblem',
  'WebhookVerificationError',
]

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** The part of a document that the client is made from. */
export type ClientDocument = Pick<OpenApiDocument, 'paths' | 'webhooks'> & {
  components: { schemas: Readonly<Record<string, JsonSchema>> }
}

/**
 * The text of the module `_generated.py`: a class for each schema, a method for each operation, and
 * the union of all events. `isRepeatable` decides which operations may be repeated.
 */
export function generatePython(
  document: ClientDocument,
  isRepeatable: (operation: PlacedOperation) => boolean,
): string {
  const { Error: error, ...schemas } = document.components.schemas
  const types = openTypes(schemas, RESERVED)
  const operations = operationsOf(document)
  const methods = operations.flatMap((operation) => methodsOf(operation, types, schemas))
  const events = eventsOf(document, types)
  const table = operations.map((operation) => tableEntry(operation, isRepeatable(operation)))
  const body = [
    types.declarations(),
    alias('WebhookEvent', 'Union', events, 'Any event; `type` selects the type of `payload`.'),
    alias('ErrorCode', 'Literal', codesOf(error), 'Every code that the service refuses with.'),
    print(brackets('OPERATIONS: Mapping[str, Operation] = ', '{', table), ''),
    [CLASS, ...methods].join('\n\n'),
  ].join('\n\n\n')
  const all = brackets('__all__ = ', '[', exported(body).map(quoted))
  return `${[HEAD, importsOf(body), print(all, '')].join('\n\n')}\n\n\n${body}\n`
}

const CLASS = `class GeneratedClient(OperationCaller):
    """One method for each operation."""

    _operations: ClassVar[Mapping[str, Operation]] = OPERATIONS`

function alias(name: string, head: string, args: readonly string[], text: string): string {
  return `${print(brackets(`${name} = ${head}`, '[', args.map(quoted)), '')}\n"""${text}"""`
}

function importsOf(text: string): string {
  const words = new Set(text.match(/\w+/g))
  const lines = IMPORTS.flatMap(([module, names]) => {
    const used = names.filter((name) => words.has(name))
    return used.length === 0 ? [] : [`from ${module} import ${used.join(', ')}`]
  })
  const first = lines.findIndex((line) => line.startsWith('from .'))
  return [...lines.slice(0, first), '', ...lines.slice(first)].join('\n')
}

/** The names of the types in a module's text. */
function exported(text: string): string[] {
  const names = [...text.matchAll(/^(?:class )?([A-Z]\w*)(?= = |\()/gm)].map(
    ([, name = '']) => name,
  )
  return names.filter((name) => name !== 'GeneratedClient')
}

function operationsOf({ paths }: ClientDocument): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [{ ...operation, method: method.toUpperCase(), path }]
    }),
  )
}

/** A class for each event: that of `deposit.confirmed` is `DepositConfirmedWebhook`. */
function eventsOf({ webhooks }: ClientDocument, types: PythonTypes): string[] {
  return Object.entries(webhooks).map(([type, item]) => {
    const schema: JsonSchema = Object(item).post.requestBody.content['application/json'].schema
    const name = types.typeOf(schema, `${pascalCase(type)}Webhook`)
    if (typeof name !== 'string') throw new Error(`the event ${type} is not an object`)
    return name
  })
}

function codesOf(error: JsonSchema | undefined): string[] {
  const codes: unknown = Object(error?.['properties']).error?.enum
  return Array.isArray(codes) ? codes.map(String) : []
}
