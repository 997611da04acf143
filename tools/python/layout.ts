/** Code in Python: a text, or brackets with parts that can each have a line. */
export type Code = string | { before: string; open: string; parts: readonly Code[]; after: string }

const COLUMNS_MAX = 100
const STEP = '    '
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Code on one line, or with one part on each line if it is too long. `indent` is of its start. */
export function print(code: Code, indent: string): string {
  const line = `${indent}${inline(code)}`
  if (typeof code === 'string' || line.length <= COLUMNS_MAX) return line
  const { before, open, parts, after } = code
  const inner = parts.map((part) => print(suffixed(part, ','), `${indent}${STEP}`))
  return [`${indent}${before}${open}`, ...inner, `${indent}${CLOSING[open]}${after}`].join('\n')
}

/** Code on one line. */
export function inline(code: Code): string {
  if (typeof code === 'string') return code
  const { before, open, parts, after } = code
  return `${before}${open}${parts.map(inline).join(', ')}${CLOSING[open]}${after}`
}

/** The code with a text in front of it. */
export function prefixed(text: string, code: Code): Code {
  return typeof code === 'string' ? `${text}${code}` : { ...code, before: `${text}${code.before}` }
}

/** The code with a text behind it. */
export function suffixed(code: Code, text: string): Code {
  return typeof code === 'string' ? `${code}${text}` : { ...code, after: `${code.after}${text}` }
}

/** A call, a signature, or a dictionary of entries. */
export function brackets(before: string, open: '(' | '[' | '{', parts: readonly Code[]): Code {
  return { before, open, parts, after: '' }
}

/** A type in Python: a name, or a name with arguments. */
export type PythonType = string | { head: string; args: readonly PythonType[] }

/** A type as code. */
export function typeCode(type: PythonType): Code {
  return typeof type === 'string' ? type : brackets(type.head, '[', type.args.map(typeCode))
}

/** A docstring of paragraphs; each line of a paragraph is wrapped under its own indentation. */
export function docstring(paragraphs: readonly string[], indent: string): string {
  const lines = paragraphs
    .filter((text) => text !== '')
    .flatMap((text, index) => [
      ...(index === 0 ? [] : ['']),
      ...text.split('\n').flatMap((line) => wrapped(line, indent)),
    ])
    .map((line) => line.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"'))
  const [first = ''] = lines
  if (lines.length === 1 && first.length + '""""""'.length <= COLUMNS_MAX && !first.endsWith('"'))
    return `${indent}"""${first.trim()}"""`
  const opened = [`${indent}"""${first.trim()}`, ...lines.slice(1), `${indent}"""`]
  return opened.join('\n')
}

/** Room for the quotes of a docstring on its first line. */
const WIDTH = COLUMNS_MAX - '"""'.length

function wrapped(line: string, indent: string): string[] {
  const own = /^ */.exec(line)?.[0] ?? ''
  const lines: string[] = []
  let current = `${indent}${own}`
  for (const word of line.trim().split(/\s+/)) {
    const isEmpty = current.trim() === ''
    if (!isEmpty && current.length + 1 + word.length > WIDTH) {
      lines.push(current)
      current = `${indent}${own}${own === '' ? '' : STEP}${word}`
    } else {
      current += isEmpty ? word : ` ${word}`
    }
  }
  return [...lines, current]
}
