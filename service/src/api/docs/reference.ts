import type { DocumentedOperation, OpenApiDocument, Parameter } from '../openapi/openapi.ts'
import type { JsonSchema } from '../openapi/schemas.ts'
import { escapeHtml } from './html.ts'
import { inline } from './markdown.ts'
import { type Page, REFERENCE } from './page.ts'
import { type Placed, tryItForm } from './try-it-form.ts'

/** The API reference: every operation with its schemas, by tag. */
export function referencePage(document: OpenApiDocument): Page {
  const placed = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
  const parts = document.tags.map((tag) => part(document, tag, placed))
  return {
    name: REFERENCE,
    title: 'API reference',
    summary: 'Every operation, with its parameters, responses, errors, a sample and a form.',
    html: [HEAD, contents(document, placed), ...parts, records(document)].join('\n'),
  }
}

const HEAD = `<h1>API reference</h1>
<p>Generated from the schemas that validate requests. Also available as
<a href="openapi.json">an OpenAPI 3.1 document</a>; <a href="llms.txt">llms.txt</a> lists all pages
for programs. Amounts are strings of base units, timestamps ISO 8601 in UTC. HEAD is supported for
health and documentation only.</p>
<section class="credentials" aria-labelledby="credentials" hidden>
<h2 id="credentials">Credentials</h2>
<p>Enter one. Credentials stay in this page and are discarded when you leave it.</p>
<p><label for="api-key">API key</label>
<input id="api-key" type="password" autocomplete="off" spellcheck="false"></p>
<p><label for="access-token">Access token</label>
<input id="access-token" type="password" autocomplete="off" spellcheck="false"></p>
</section>
<noscript><p>The forms need JavaScript. Without it, use the <code>curl</code> samples.</p>
</noscript>`

function contents({ tags }: OpenApiDocument, placed: readonly Placed[]): string {
  const lists = tags.map(({ name }) => {
    const links = placedIn(placed, name).map(
      ({ method, path, operation: { operationId } }) =>
        `<li><a href="#${operationId}">${badge(method)} <span>${escapeHtml(path)}</span></a></li>`,
    )
    return `<h3>${escapeHtml(name)}</h3><ul>${links.join('')}</ul>`
  })
  const more = '<h3>Records</h3><ul><li><a href="#records">All records</a></li></ul>'
  return `<nav class="contents" aria-label="Operations">${lists.join('\n')}${more}</nav>`
}

function part(
  document: OpenApiDocument,
  { name, description }: OpenApiDocument['tags'][number],
  placed: readonly Placed[],
): string {
  const sections = placedIn(placed, name).map((one) => section(document, one))
  return `<h2 id="${escapeHtml(name)}">${escapeHtml(name)}</h2>
<p>${text(description)}</p>
${sections.join('\n')}`
}

function placedIn(placed: readonly Placed[], tag: string): Placed[] {
  return placed.filter(({ operation }) => operation.tags.includes(tag))
}

function section(document: OpenApiDocument, placed: Placed): string {
  const { method, path, operation } = placed
  const { operationId, summary, description, parameters, responses, requestBody } = operation
  const body = requestBody?.content['application/json']
  const [sample] = operation['x-codeSamples']
  return `<section class="operation" aria-labelledby="${operationId}">
<h3 id="${operationId}">${badge(method)} <code>${escapeHtml(path)}</code></h3>
<p class="summary">${text(summary)}.</p>
<p>${text(description)}</p>
<p>Credentials: ${credentialsOf(operation)}.</p>
${parameters.length === 0 ? '' : parametersTable(parameters)}
${body === undefined ? '' : `<h4>Body</h4>${fieldsTable(document, body.schema, 'required')}`}
<h4>Sample</h4>
<pre tabindex="0"><code>${escapeHtml(sample?.source ?? '')}</code></pre>
<h4>Answers</h4>
${Object.entries(responses)
  .map(([status, answer]) => answerHtml(document, status, answer))
  .join('\n')}
${tryItForm(placed)}
</section>`
}

function credentialsOf({ security }: DocumentedOperation): string {
  const names = security.flatMap((one) => Object.keys(one))
  if (names.length === 0) return 'none'
  return names.map((name) => (name === 'bearer' ? 'bearer token' : 'API key')).join(' or ')
}

function parametersTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, in: place, required, description, schema }) =>
    row(name, [place, required ? 'required' : 'optional'].join(', '), { description, schema }),
  )
  return `<h4>Parameters</h4>${tableOf(['Name', 'Where', 'Type', 'Meaning'], rows)}`
}

function fieldsTable(document: OpenApiDocument, reference: JsonSchema, always: string): string {
  const schema = resolve(document, reference)
  const needed = Array.isArray(schema['required']) ? schema['required'] : []
  const rows = entriesOf(schema['properties']).map(([name, field]) => {
    const { description } = field
    const says = typeof description === 'string' ? description : ''
    return row(name, needed.includes(name) ? always : 'optional', {
      description: says,
      schema: field,
    })
  })
  return tableOf(['Field', 'Presence', 'Type', 'Meaning'], rows)
}

function row(
  name: string,
  where: string,
  { description, schema }: { description: string; schema: JsonSchema },
): string {
  const cells = [`<code>${escapeHtml(name)}</code>`, where, typeOf(schema), text(description)]
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
}

function tableOf(heads: readonly string[], rows: readonly string[]): string {
  if (rows.length === 0) return '<p>No fields.</p>'
  const head = heads.map((one) => `<th scope="col">${one}</th>`).join('')
  const table = `<table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`
  return `<div class="wide" tabindex="0">${table}</div>`
}

function answerHtml(
  document: OpenApiDocument,
  status: string,
  answer: DocumentedOperation['responses'][string],
): string {
  const { schema, example, examples } = answer.content['application/json']
  const codes = Object.keys(Object(examples)).map((code) => code.replace(/_\d{3}$/, ''))
  if (codes.length > 0) {
    const links = codes.map((code) => `<a href="docs/errors#${code}"><code>${code}</code></a>`)
    return `<p class="refusal"><strong>${status}</strong> ${links.join(', ')}</p>`
  }
  const fields = entriesOf(resolve(document, schema)['properties']).length
  const shown = escapeHtml(JSON.stringify(example, null, 2) ?? '')
  return `<details><summary><strong>${status}</strong> ${text(answer.description)}</summary>
${fields === 0 ? '' : fieldsTable(document, schema, 'always')}
<pre tabindex="0"><code>${shown}</code></pre></details>`
}

/** Every named schema. */
function records(document: OpenApiDocument): string {
  const all = Object.entries(document.components.schemas).map(([name, schema]) => {
    const { description } = schema
    const says = typeof description === 'string' ? `<p>${text(description)}</p>` : ''
    const title = `<h3 id="${recordId(name)}"><code>${escapeHtml(name)}</code></h3>`
    return `${title}${says}${fieldsTable(document, schema, 'always')}`
  })
  return `<h2 id="records">Records</h2>${all.join('\n')}`
}

function linkToRecord(name: string): string {
  return `<a href="#${recordId(name)}"><code>${escapeHtml(name)}</code></a>`
}

/** Differs from the name of any operation. */
function recordId(name: string): string {
  return `record-${escapeHtml(name)}`
}

function typeOf(schema: JsonSchema): string {
  const { $ref, type, enum: values, items, minimum, maximum, minLength, maxLength } = schema
  if (typeof $ref === 'string') return linkToRecord($ref.split('/').at(-1) ?? '')
  if (Array.isArray(values)) return values.map((one) => `<code>${one}</code>`).join(' ')
  if (type === 'array') return `array of ${typeOf(Object(items))}`
  const bounds = [minimum ?? minLength, maximum ?? maxLength]
  const isBound = bounds.some((one) => one !== undefined)
  const range = isBound
    ? ` ${bounds.map((one) => (typeof one === 'number' ? one : '')).join('…')}`
    : ''
  const kinds = [type].flat().map((one) => (typeof one === 'string' ? one : 'any'))
  return `${escapeHtml(kinds.join(' or '))}${range}`
}

function resolve({ components }: OpenApiDocument, schema: JsonSchema): JsonSchema {
  const { $ref } = schema
  if (typeof $ref !== 'string') return schema
  return components.schemas[$ref.replace('#/components/schemas/', '')] ?? {}
}

function entriesOf(value: unknown): [string, JsonSchema][] {
  return Object.entries(Object(value))
}

function badge(method: string): string {
  return `<span class="method ${method.toLowerCase()}">${method}</span>`
}

/** A description: one paragraph of Markdown without links to pages. */
function text(description: string): string {
  return inline(description, () => null)
}
