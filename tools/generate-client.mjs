// Writes client/src/generated.ts from the service's OpenAPI document: its types, and each
// operation's method and path. With --check it writes nothing and fails where the file is stale.
import '../bench/typescript.mjs'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const TARGET = new URL('../client/src/generated.ts', import.meta.url)
const METHODS = ['get', 'post', 'patch', 'delete']
/** Answers that are no part of the interface of organizations: pages for people and machines. */
const NO_METHOD = /^\/(docs|openapi\.json|llms\.txt|metrics)/

const { openApiDocument } = await import('../service/src/api/openapi/openapi.ts')
const fresh = formatted(await generate(openApiDocument()))
if (!process.argv.includes('--check')) {
  writeFileSync(TARGET, fresh)
} else if (readFileSync(TARGET, 'utf8') !== fresh) {
  console.error('client/src/generated.ts is stale; run `node tools/generate-client.mjs`')
  process.exitCode = 1
}

/** Generator and compiler come from `npm ci --prefix tools/oracles`. */
async function generate(document) {
  const require = createRequire(new URL('./oracles/package.json', import.meta.url))
  const { default: toTypes, astToString } = require('openapi-typescript')
  const { openapi, info, webhooks } = document
  const paths = slim(
    Object.fromEntries(Object.entries(document.paths).filter(([path]) => !NO_METHOD.test(path))),
  )
  const types = await toTypes(
    {
      openapi,
      info,
      paths,
      components: {
        schemas: { ...slim(document.components.schemas), EventPayloads: payloadsOf(webhooks) },
      },
    },
    { rootTypes: true, rootTypesNoSchemaPrefix: true, silent: true },
  )
  return [
    '/**',
    " * The interface as the service's OpenAPI document has it. Written by",
    ' * `tools/generate-client.mjs`; changes are made there or in the document.',
    ' */',
    astToString(types),
    '/** Every code that the service refuses with. */',
    "export type ErrorCode = components['schemas']['Error']['error']",
    tableOf(paths),
  ].join('\n')
}

/** One schema with the payload of each type of event. */
function payloadsOf(webhooks) {
  const properties = Object.fromEntries(
    Object.entries(webhooks).map(([type, { post }]) => [
      type,
      slim(post.requestBody.content['application/json'].schema.properties.payload),
    ]),
  )
  return {
    type: 'object',
    description: 'The payload of each type of event.',
    required: Object.keys(properties),
    properties,
  }
}

/** Types have no use for examples, headers and refusals, which fill most of the document. */
function slim(value, key = '') {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => slim(one))
  const isKept = ([name, inner]) =>
    key === 'properties' ||
    (!['example', 'examples', 'headers'].includes(name) &&
      (key !== 'responses' || isAnswer(name, inner)))
  return Object.fromEntries(
    Object.entries(value)
      .filter(isKept)
      .map(([name, inner]) => [name, slim(inner, name)]),
  )
}

/** Readiness says no in its own words, and so it is an answer. */
function isAnswer(status, response) {
  return status.startsWith('2') || !JSON.stringify(response).includes('schemas/Error"')
}

/** `operationId: [method, path]`, what a call needs to know of its operation. */
function tableOf(paths) {
  const lines = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map(
      (method) => `${item[method].operationId}: ['${method.toUpperCase()}', '${path}'],`,
    ),
  )
  return `/** Method and path of each operation. */\nexport const OPERATIONS = {\n${lines.join('\n')}\n} as const\n`
}

function formatted(text) {
  const biome = fileURLToPath(new URL('../node_modules/@biomejs/biome/bin/biome', import.meta.url))
  return run(process.execPath, [biome, 'format', '--stdin-file-path=client/src/generated.ts'], text)
}

function run(program, args, input = '') {
  const cwd = fileURLToPath(new URL('..', import.meta.url))
  const ran = spawnSync(program, args, { encoding: 'utf8', input, cwd, maxBuffer: 2 ** 26 })
  if (ran.status === 0) return ran.stdout
  throw new Error(`${args.join(' ')} failed: ${ran.stderr}`)
}
