import type { DocumentedOperation, Parameter } from '../openapi/openapi.ts'
import { escapeHtml } from './html.ts'

/** An operation with its method and path. */
export interface Placed {
  method: string
  path: string
  operation: DocumentedOperation
}

/** The form that calls an operation. It is hidden unless the script runs. */
export function tryItForm({ method, path, operation }: Placed): string {
  const { operationId, parameters, requestBody, responses } = operation
  const fields = parameters.map((parameter) => field(operationId, parameter))
  const example = requestBody?.content['application/json'].example
  const body = requestBody === undefined ? '' : bodyField(operationId, example)
  // A GET that may return 201 creates its object.
  const reads = method === 'GET' && responses['201'] === undefined
  const warning = reads
    ? ''
    : '<p class="warning">This request takes effect on this installation.</p>'
  return `<details class="try" hidden><summary>Try it</summary>
<form data-method="${method}" data-path="${escapeHtml(path)}" aria-label="Try ${operationId}">
${fields.join('\n')}${body}${warning}
<p><button type="submit">Send</button></p>
<pre class="answer" tabindex="0" role="status" aria-label="Answer" hidden></pre>
</form></details>`
}

function bodyField(operationId: string, example: unknown): string {
  const id = `${operationId}-body`
  const text = escapeHtml(JSON.stringify(example, null, 2) ?? '')
  return `<p><label for="${id}">Body</label>
<textarea id="${id}" rows="8" spellcheck="false" autocomplete="off">${text}</textarea></p>`
}

function field(operationId: string, { name, in: place, required, schema, example }: Parameter) {
  const id = `${operationId}-${name}`
  const value = required && typeof example === 'string' ? example : ''
  const needed = required ? ' required' : ''
  const attributes = `id="${id}" name="${escapeHtml(name)}" data-in="${place}"${needed}`
  const values = schema['type'] === 'boolean' ? ['true', 'false'] : schema['enum']
  const options = Array.isArray(values)
    ? ['', ...values].map((one) => `<option>${one}</option>`)
    : []
  const control =
    options.length > 0
      ? `<select ${attributes}>${options.join('')}</select>`
      : `<input ${attributes} value="${escapeHtml(value)}" autocomplete="off" spellcheck="false">`
  return `<p><label for="${id}">${escapeHtml(name)}${required ? ' (required)' : ''}</label>
${control}</p>`
}
