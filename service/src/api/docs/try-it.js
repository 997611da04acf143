// Sends the requests of the reference's forms to the installation that served the page. Credentials
// are read from their two fields when a request is sent, and are not stored.
const SHOWN_CHARACTERS_MAX = 100_000
const HEADERS = [
  'x-request-id',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
]
/** Invisible characters with an effect: direction marks, zero width, line separators, controls. */
const UNSEEN = /[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f]/gu
const base = new URL('.', document.baseURI)
/** Aborts pending requests when the page is left. */
let leaving = new AbortController()

for (const hidden of document.querySelectorAll('.credentials, details.try')) hidden.hidden = false
for (const form of document.querySelectorAll('details.try form')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!form.querySelector('button').hasAttribute('aria-disabled')) void send(form)
  })
}
// The back button restores a page without its inputs and responses: either may contain a password,
// a code, a token or a new key.
addEventListener('pagehide', () => {
  leaving.abort()
  leaving = new AbortController()
  for (const field of document.querySelectorAll('.credentials input')) field.value = ''
  for (const form of document.querySelectorAll('details.try form')) {
    const answer = form.querySelector('.answer')
    answer.textContent = ''
    answer.hidden = true
    form.reset()
  }
})

async function send(form) {
  const answer = form.querySelector('.answer')
  const button = form.querySelector('button')
  const { signal } = leaving
  // A disabled button would lose the focus, and keyboard users their position.
  button.setAttribute('aria-disabled', 'true')
  answer.hidden = false
  answer.textContent = 'Sending …'
  try {
    answer.textContent = await shown(await fetch(addressOf(form), { ...requestOf(form), signal }))
  } catch (error) {
    answer.textContent = signal.aborted ? '' : `No answer came: ${error.message}`
  } finally {
    button.removeAttribute('aria-disabled')
  }
}

function addressOf(form) {
  const fields = [...form.querySelectorAll('input, select')].filter(({ value }) => value !== '')
  const valueOf = (name) => fields.find((field) => field.name === name)?.value ?? ''
  const path = form.dataset.path.replaceAll(/\{(\w+)\}/g, (_all, name) =>
    segment(name, valueOf(name)),
  )
  const query = fields
    .filter(({ dataset }) => dataset.in === 'query')
    .map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
  return new URL(`.${path}${query.length === 0 ? '' : `?${query.join('&')}`}`, base)
}

/** A browser resolves these segments, escaped or not, and would request another path. */
function segment(name, value) {
  if (/^\.{1,2}$/.test(value)) throw new Error(`${name} cannot be "${value}"`)
  return encodeURIComponent(value)
}

function requestOf(form) {
  const body = form.querySelector('textarea')?.value
  const key = document.querySelector('#api-key').value.trim()
  const token = document.querySelector('#access-token').value.trim()
  return {
    method: form.dataset.method,
    credentials: 'omit',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
    headers: {
      ...(key !== '' && { 'x-api-key': key }),
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  }
}

async function shown(response) {
  const headers = HEADERS.filter((name) => response.headers.has(name))
  const text = visible(pretty(await response.text()))
  const isCut = text.length > SHOWN_CHARACTERS_MAX
  return [
    `${response.status} ${response.statusText}`.trim(),
    ...headers.map((name) => `${name}: ${response.headers.get(name)}`),
    ...(isCut ? [cutLine(text.length)] : []),
    '',
    text.slice(0, SHOWN_CHARACTERS_MAX),
  ].join('\n')
}

/** Is shown above a truncated response. */
function cutLine(length) {
  const says = `Only the first ${SHOWN_CHARACTERS_MAX} of ${length} characters are shown`
  return `${says}: ask for less, with limit or a filter.`
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Escapes invisible characters of untrusted text; JSON keeps its meaning. */
function visible(text) {
  return text.replaceAll(UNSEEN, (mark) => mark.split('').map(escaped).join(''))
}

function escaped(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
