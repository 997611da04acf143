import type { JsonSchema } from '../../service/src/api/openapi/schemas.ts'
import {
  brackets,
  docstring,
  inline,
  prefixed,
  print,
  type PythonType,
  typeCode,
} from './layout.ts'
import { isIdentifier, pascalCase, quoted } from './names.ts'
import { referenceOf, type Schemas, type Shape, shapeOf, textOf, valuesOf } from './schema.ts'

/** The types of a document: classes for objects with known fields, aliases for other schemas. */
export interface PythonTypes {
  /** The type of a schema. An object with known fields becomes a class of this name. */
  typeOf(schema: JsonSchema, name: string): PythonType
  /** All classes and aliases, as text. */
  declarations(): string
}

interface Field {
  key: string
  type: PythonType
  isRequired: boolean
  description: string
}

const ANY_OBJECT: PythonType = { head: 'dict', args: ['str', 'Any'] }
const NONE = 'None'

/** Starts with the named schemas of a document. No type gets one of the `reserved` names. */
export function openTypes(schemas: Schemas, reserved: readonly string[]): PythonTypes {
  const { names, reserve, referred } = openNames(schemas, reserved)
  const classes: string[] = []
  const aliases: string[] = []

  const typeOf = (schema: JsonSchema, name: string): PythonType => {
    const reference = referenceOf(schema)
    if (reference !== null) return referred(reference)
    if ('const' in schema) return literal([schema['const']])
    if (Array.isArray(schema['enum'])) return literal(schema['enum'])
    const choices = schema['anyOf'] ?? schema['oneOf']
    if (Array.isArray(choices))
      return union(
        choices.map((one: JsonSchema, index) =>
          typeOf(one, index === 0 ? name : `${name}${index + 1}`),
        ),
      )
    const types = kindsOf(schema).map((kind) => typeOfKind(kind, schema, name))
    return types.length === 0 ? 'Any' : union(types)
  }
  const typeOfKind = (kind: string, schema: JsonSchema, name: string): PythonType => {
    if (kind !== 'object' && kind !== 'array') return SIMPLE[kind] ?? 'Any'
    if (kind === 'array')
      return { head: 'list', args: [typeOf(Object(schema['items'] ?? {}), `${name}Item`)] }
    const shape = shapeOf(schema, schemas)
    if (Object.keys(shape.properties).length > 0) return declare(reserve(name), schema, shape)
    const values = valuesOf(schema)
    if (values === null) return ANY_OBJECT
    return { head: 'dict', args: ['str', typeOf(values, `${name}Value`)] }
  }
  const declare = (name: string, schema: JsonSchema, shape: Shape): string => {
    const fields = Object.entries(shape.properties).map(([key, property]) => ({
      key,
      type: typeOf(property, `${name}${pascalCase(key)}`),
      isRequired: shape.required.includes(key),
      description: textOf(property['description']),
    }))
    classes.push(printClass(name, textOf(schema['description']), fields, reserve))
    return name
  }
  const declareNamed = (key: string, name: string) => {
    const schema = schemas[key] ?? {}
    const shape = shapeOf(schema, schemas)
    if (Object.keys(shape.properties).length > 0) declare(name, schema, shape)
    else
      aliases.push(
        print(prefixed(`${name} = `, typeCode(lazy(typeOf(schema, `${name}Value`)))), ''),
      )
  }
  for (const [key, name] of names) declareNamed(key, name)
  return { typeOf, declarations: () => [...classes, ...aliases].join('\n\n\n') }
}

/** The names of the named schemas, and further ones that are not in use yet. */
function openNames(schemas: Schemas, reserved: readonly string[]) {
  const taken = new Set(reserved)
  const reserve = (wanted: string): string => {
    let name = wanted
    for (let count = 2; taken.has(name); count += 1) name = `${wanted}${count}`
    taken.add(name)
    return name
  }
  const names = new Map(Object.keys(schemas).map((key) => [key, reserve(pascalCase(key))]))
  const referred = (key: string): string => {
    const name = names.get(key)
    if (name === undefined) throw new Error(`the document has no schema ${key}`)
    return name
  }
  return { names, reserve, referred }
}

/** The kinds of JSON values that a schema allows; empty for any. */
function kindsOf(schema: JsonSchema): string[] {
  const implied = 'properties' in schema || 'allOf' in schema ? ['object'] : []
  return [schema['type'] ?? implied].flat().filter((kind) => typeof kind === 'string')
}

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'Decimal',
  boolean: 'bool',
  null: NONE,
}

/** Whether a value of this type can be null. */
export function isNullable(type: PythonType): boolean {
  return typeof type !== 'string' && type.head === 'Optional'
}

/** Several types as one: `Optional` if null is among them. */
export function union(types: readonly PythonType[]): PythonType {
  const flat = types.flatMap((type) =>
    typeof type !== 'string' && ['Union', 'Optional'].includes(type.head)
      ? [...type.args, ...(type.head === 'Optional' ? [NONE] : [])]
      : [type],
  )
  const distinct = new Map(flat.map((type) => [inline(typeCode(type)), type]))
  const isOptional = distinct.delete(NONE)
  const [first, ...more] = distinct.values()
  if (first === undefined) return NONE
  const whole = more.length === 0 ? first : { head: 'Union', args: [first, ...more] }
  return isOptional ? { head: 'Optional', args: [whole] } : whole
}

function literal(values: readonly unknown[]): PythonType {
  const args = values.filter((value) => value !== null).map(literalOf)
  const types: PythonType[] = args.length === 0 ? [] : [{ head: 'Literal', args }]
  return union(values.includes(null) ? [...types, NONE] : types)
}

function literalOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return typeof value === 'number' ? String(value) : quoted(String(value))
}

/** Names in quotes: an alias may refer to a class that follows. */
function lazy(type: PythonType): PythonType {
  if (typeof type !== 'string') {
    if (type.head === 'Literal') return type
    return { head: type.head, args: type.args.map(lazy) }
  }
  return type === 'Any' || type === NONE || type === type.toLowerCase() ? type : quoted(type)
}

/** A `TypedDict`. Optional fields are in a subclass, since Python 3.9 cannot mark single fields. */
function printClass(
  name: string,
  description: string,
  fields: readonly Field[],
  reserve: (name: string) => string,
): string {
  const required = fields.filter(({ isRequired }) => isRequired)
  const optional = fields.filter(({ isRequired }) => !isRequired)
  if (optional.length === 0) return classOf(name, 'TypedDict', description, required)
  if (required.length === 0) return classOf(name, 'TypedDict, total=False', description, optional)
  const base = reserve(`_${name}Required`)
  return [
    classOf(base, 'TypedDict', '', required),
    classOf(name, `${base}, total=False`, description, optional),
  ].join('\n\n\n')
}

function classOf(
  name: string,
  bases: string,
  description: string,
  fields: readonly Field[],
): string {
  if (!fields.every(({ key }) => isIdentifier(key))) return functional(name, bases, fields)
  const parts = fields.flatMap(({ key, type, description: text }) => [
    print(prefixed(`${key}: `, typeCode(type)), '    '),
    ...(text === '' ? [] : [docstring([text], '    ')]),
  ])
  const doc = description === '' ? [] : [`${docstring([description], '    ')}\n`]
  return [`class ${name}(${bases}):`, ...doc, ...parts].join('\n')
}

/** The form for keys that are not identifiers, such as `from`. It cannot extend a class. */
function functional(name: string, bases: string, fields: readonly Field[]): string {
  const [base = 'TypedDict', ...more] = bases.split(', ')
  const own = base === 'TypedDict' ? name : `_${name}Optional`
  const entries = fields.map(({ key, type }) => prefixed(`${quoted(key)}: `, typeCode(lazy(type))))
  const args = [
    quoted(own),
    brackets('', '{', entries),
    ...(more.length === 0 ? [] : ['total=False']),
  ]
  const text = print(brackets(`${own} = TypedDict`, '(', args), '')
  return own === name ? text : `${text}\n\n\nclass ${name}(${base}, ${own}):\n    pass`
}
