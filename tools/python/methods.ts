import type {
  DocumentedOperation,
  Parameter as DocumentedParameter,
} from '../../service/src/api/openapi/openapi.ts'
import type { JsonSchema } from '../../service/src/api/openapi/schemas.ts'
import {
  brackets,
  type Code,
  docstring,
  suffixed,
  inline,
  prefixed,
  print,
  type PythonType,
  typeCode,
} from './layout.ts'
import { pascalCase, quoted, snakeCase } from './names.ts'
import { type Schemas, shapeOf, textOf } from './schema.ts'
import { isNullable, type PythonTypes, union } from './typed-dicts.ts'

/** An operation with its place in the document. */
export interface PlacedOperation extends DocumentedOperation {
  method: string
  path: string
}

/** An argument of a method, and the part of the request that it fills. */
interface Argument {
  name: string
  key: string
  place: 'path' | 'query' | 'header' | 'body'
  type: PythonType
  isRequired: boolean
  /** The value that is sent, as an expression of the argument's name. */
  value: (name: string) => string
  description: string
}

const JSON_TYPE = 'application/json'
const UNSET = 'UNSET'
/** Of a list that states no maximum. */
const PAGE_SIZE = 100

/** All methods of an operation: the call, an iterator of a list, and one for each file type. */
export function methodsOf(
  operation: PlacedOperation,
  types: PythonTypes,
  schemas: Schemas,
): string[] {
  const name = snakeCase(operation.operationId)
  const args = argumentsOf(operation, types, schemas)
  const contents = successes(operation)
  const mediaTypes = new Set(contents.flatMap((content) => Object.keys(content)))
  const files = [...mediaTypes].filter((type) => type !== JSON_TYPE)
  const bodies = contents.flatMap((content): JsonSchema[] => {
    const json = content[JSON_TYPE]
    return json === undefined ? [] : [json.schema]
  })
  const answer = union(
    bodies.map((schema) => types.typeOf(schema, `${pascalCase(operation.operationId)}Answer`)),
  )
  return [
    ...(bodies.length === 0 ? [] : [callMethod(operation, name, args, answer)]),
    ...bodies
      .slice(0, 1)
      .flatMap((schema) => iterator(operation, { args, schema, types, schemas })),
    ...files.map((type) => {
      const suffix = bodies.length === 0 ? '' : `_${snakeCase(type.replace(/^.*?\/(?:x-)?/, ''))}`
      return fileMethod(operation, `${name}${suffix}`, args, type)
    }),
  ]
}

/** The entry of an operation in the table of operations. */
export function tableEntry(operation: PlacedOperation, isRepeatable: boolean): Code {
  const hasCredential = operation.security.length > 0
  const accepted = acceptedOf(operation)
  const isBodyOptional = operation.requestBody?.required === false
  const args = [
    quoted(operation.operationId),
    quoted(operation.method),
    quoted(operation.path),
    `has_credential=${python(hasCredential)}`,
    // Monitors and sign-in decide themselves whether to repeat a request.
    `is_repeatable=${python(isRepeatable && hasCredential)}`,
    ...(accepted.length === 0 ? [] : [`accepted=(${accepted.map((one) => `${one},`).join(' ')})`]),
    ...(isBodyOptional ? ['is_body_optional=True'] : []),
  ]
  return brackets(`${quoted(operation.operationId)}: Operation`, '(', args)
}

function python(value: boolean): string {
  return value ? 'True' : 'False'
}

/** The content of each answer that is not a refusal. */
function successes({ responses }: PlacedOperation) {
  const isAnswer = ([status, response]: [string, unknown]) =>
    status.startsWith('2') || !JSON.stringify(response).includes('schemas/Error"')
  return distinct(
    Object.entries(responses)
      .filter(isAnswer)
      .map(([, { content }]): Readonly<Record<string, { schema: JsonSchema }>> => content ?? {}),
  )
}

function distinct<T>(values: readonly T[]): T[] {
  const bySchema = (value: T) =>
    JSON.stringify(value, (key, inner: unknown) => (/^examples?$/.test(key) ? undefined : inner))
  return [...new Map(values.map((value) => [bySchema(value), value])).values()]
}

function acceptedOf({ responses }: PlacedOperation): string[] {
  return Object.entries(responses)
    .filter(
      ([status, response]) =>
        !status.startsWith('2') && !JSON.stringify(response).includes('schemas/Error"'),
    )
    .map(([status]) => status)
}

function argumentsOf(operation: PlacedOperation, types: PythonTypes, schemas: Schemas): Argument[] {
  const { operationId, parameters, requestBody } = operation
  const ownName = pascalCase(operationId)
  const args = new Map<string, Argument>()
  const add = (argument: Argument) => {
    const isTaken = args.has(argument.name)
    const name = isTaken ? `${argument.place}_${argument.name}` : argument.name
    args.set(name, { ...argument, name })
  }
  const headers = parameters.filter((one) => one.in === 'header')
  for (const one of parameters.filter((parameter) => parameter.in !== 'header'))
    add(parameterOf(one, types, ownName))
  const bodySchema = requestBody?.content[JSON_TYPE]?.schema
  for (const argument of bodySchema === undefined
    ? []
    : fieldsOf(bodySchema, { types, schemas, ownName }))
    add(argument)
  for (const one of headers) {
    const argument = parameterOf(one, types, ownName)
    // A value that the body can carry needs no header.
    if (!args.has(argument.name)) add(argument)
  }
  return [...args.values()].toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired))
}

function parameterOf(
  parameter: DocumentedParameter & { explode?: boolean },
  types: PythonTypes,
  ownName: string,
): Argument {
  const { name: key, in: place, required, schema, description } = parameter
  const name = snakeCase(key.replace(/^x-/i, ''))
  const isJoined = place === 'query' && schema['type'] === 'array' && parameter.explode === false
  const type = inputType(schema, types, `${ownName}${pascalCase(key)}`)
  const sent = required ? asGiven : unlessNone
  const value = isJoined ? (argument: string) => `comma_separated(${sent(argument)})` : sent
  return { name, key, place, type, isRequired: required, value, description }
}

const asGiven = (name: string) => name
const unlessNone = (name: string) => `or_unset(${name})`

/** The fields of a body as arguments; a body that is not an object is the argument `body`. */
function fieldsOf(
  body: JsonSchema,
  { types, schemas, ownName }: { types: PythonTypes; schemas: Schemas; ownName: string },
): Argument[] {
  const { properties, required } = shapeOf(body, schemas)
  if (Object.keys(properties).length === 0) {
    const type = types.typeOf(body, `${ownName}Body`)
    const whole = { name: 'body', key: '', place: 'body', type, isRequired: true } as const
    return [{ ...whole, value: asGiven, description: 'The body of the request.' }]
  }
  return Object.entries(properties).map(([field, property]) => {
    const name = snakeCase(field)
    const type = inputType(property, types, `${ownName}${pascalCase(field)}`)
    const isRequired = required.includes(field)
    const value = isRequired || isNullable(type) ? asGiven : unlessNone
    const description = textOf(property['description'])
    return { name, key: field, place: 'body', type, isRequired, value, description }
  })
}

/** Texts that contain a time are also accepted as datetimes. */
function inputType(schema: JsonSchema, types: PythonTypes, name: string): PythonType {
  const type = types.typeOf(schema, name)
  const isTime =
    schema['format'] === 'date-time' || textOf(schema['pattern']).startsWith(TIME_PATTERN)
  return isTime ? union([type, 'datetime']) : type
}

const TIME_PATTERN = String.raw`^\d{4}-\d{2}-\d{2}`

function callMethod(
  operation: PlacedOperation,
  name: string,
  args: readonly Argument[],
  answer: PythonType,
): string {
  const call = brackets('self._call', '(', [quoted(operation.operationId), ...partsOf(args)])
  const line = `answer: ${inline(typeCode(answer))} = `
  const body = [prefixed(line, call), 'return answer']
  return method(name, { operation, args, answer, body })
}

/** The method that reads a list page after page; none if the operation is not such a list. */
function iterator(
  operation: PlacedOperation,
  {
    args,
    schema,
    types,
    schemas,
  }: { args: readonly Argument[]; schema: JsonSchema; types: PythonTypes; schemas: Schemas },
): string[] {
  const names = operation.parameters.map(({ name }) => name)
  const limit = operation.parameters.find(({ name }) => name === 'limit')?.schema
  const { properties } = shapeOf(schema, schemas)
  const lists = Object.entries(properties).filter(([, one]) => one['type'] === 'array')
  const [list, ...others] = lists
  const isList = names.includes('cursor') && limit !== undefined && 'nextCursor' in properties
  if (!isList || list === undefined || others.length > 0) return []
  const [field, { items }] = list
  const item = types.typeOf(Object(items ?? {}), `${pascalCase(operation.operationId)}Item`)
  const filters = args.filter(({ key: name }) => !['limit', 'cursor'].includes(name))
  const size = JSON.stringify(limit['maximum'] ?? PAGE_SIZE)
  const query = filters.some(({ place }) => place === 'query') ? [] : ['query={}']
  const values = [quoted(operation.operationId), quoted(field), size]
  const call = brackets('self._each', '(', [...values, ...query, ...partsOf(filters)])
  const name = snakeCase(operation.operationId)
  const short = name.replace(/^(?:get|list)_/, '')
  return [
    method(`iter_${short}`, {
      operation: {
        ...operation,
        summary: `Every record of \`${name}\`.`,
        description: 'Reads page after page and keeps one page in memory.',
      },
      args: filters,
      answer: { head: 'Iterator', args: [item] },
      body: [prefixed('return ', call)],
    }),
  ]
}

function fileMethod(
  operation: PlacedOperation,
  name: string,
  args: readonly Argument[],
  mediaType: string,
): string {
  const parts = [quoted(operation.operationId), quoted(mediaType), ...partsOf(args)]
  const body = [prefixed('return ', brackets('self._download', '(', parts))]
  const summary = `${operation.summary}; a file of the type ${mediaType}`
  return method(name, { operation: { ...operation, summary }, args, answer: 'Download', body })
}

/** The input of the call, by the parts of the request. */
function partsOf(args: readonly Argument[]): Code[] {
  const places = { path: 'path', query: 'query', header: 'headers', body: 'body' } as const
  return Object.entries(places).flatMap(([place, keyword]) => {
    const own = args.filter((argument) => argument.place === place)
    if (own.length === 0) return []
    const [first] = own
    if (first?.key === '') return [`${keyword}=${first.value(first.name)}`]
    const entries = own.map(({ key, name, value }) => `${quoted(key)}: ${value(name)}`)
    return [brackets(`${keyword}=`, '{', entries)]
  })
}

interface Method {
  operation: PlacedOperation
  args: readonly Argument[]
  answer: PythonType
  body: readonly Code[]
}

function method(name: string, { operation, args, answer, body }: Method): string {
  const signature = args.map(({ name: argument, type, isRequired }) => {
    const code = typeCode(isRequired ? type : optional(type))
    return suffixed(prefixed(`${argument}: `, code), isRequired ? '' : ` = ${defaultOf(type)}`)
  })
  const parts = ['self', ...(args.length === 0 ? [] : ['*']), ...signature]
  const head = suffixed(brackets(`def ${name}`, '(', parts), ` -> ${inline(typeCode(answer))}:`)
  return [
    print(head, INDENT),
    docstring(documentation(operation, args), BODY_INDENT),
    ...body.map((line) => print(line, BODY_INDENT)),
  ].join('\n')
}

const INDENT = '    '
const BODY_INDENT = '        '

function optional(type: PythonType): PythonType {
  return isNullable(type) ? union([type, 'Unset']) : union([type, 'None'])
}

function defaultOf(type: PythonType): string {
  return isNullable(type) ? UNSET : 'None'
}

function documentation(operation: PlacedOperation, args: readonly Argument[]): string[] {
  const described = args.filter(({ description }) => description !== '')
  const list = described.map(({ name, description }) => `    ${name}: ${description}`)
  return [
    operation.summary.replace(/[^.]$/, '$&.'),
    operation.description,
    list.length === 0 ? '' : ['Args:', ...list].join('\n'),
    refusalsOf(operation),
  ]
}

/** The codes that the operation refuses with, by status. */
function refusalsOf({ responses }: PlacedOperation): string {
  const lines = Object.entries(responses).flatMap(([status, { content }]) => {
    const parts: unknown = content?.[JSON_TYPE]?.schema['allOf']
    const [, narrowed] = Array.isArray(parts) ? parts : []
    const codes: unknown = Object(narrowed).properties?.error?.enum
    return Array.isArray(codes) ? [`    ${status}: ${codes.join(', ')}`] : []
  })
  return lines.length === 0 ? '' : ['Raises SluiceError with a code:', ...lines].join('\n')
}
